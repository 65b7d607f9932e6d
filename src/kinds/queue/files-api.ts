import type { AnsweredRemoval } from '../../store/store.ts';
import type { Status } from '../../task/status.ts';

export type { AnsweredRemoval };

/** What is done with the queue's files as a whole. */
export interface QueueFiles {
  /** Moves finished records to `.takt/archive/`; a dry run only says which. */
  archive(input: ArchiveInput, dryRun: boolean): Promise<ArchivedTask[]>;
  /** Moves texts that stand in records, or in files of any place, to folders of their tasks; without `apply` only says which. */
  migrate(apply: boolean): Promise<MigratedTask[]>;
  /** Removes the tasks whose records were missing in the file, or keeps them. */
  answerRemovals(confirm: boolean, by: string): Promise<AnsweredRemoval[]>;
}

export interface ArchiveInput {
  /** Since their end. */
  olderThanMs?: number;
  /** Of done, failed and canceled; absent: all three. */
  status?: readonly Status[];
}

export interface ArchivedTask {
  id: string;
  name: string;
  status: Status;
  finishedAt: string;
  /** From the root. */
  file: string;
}

export interface MigratedTask {
  id: string;
  name: string;
  from: 'content' | 'content_file';
  taskDir: string;
  /** Why it stays as it is. */
  skipped?: string;
}
