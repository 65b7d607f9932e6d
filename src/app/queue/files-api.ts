import type { Status } from '../../task/status.ts';

/** What is done with the queue's files as a whole. */
export interface QueueFiles {
  /** Moves finished records to `.takt/archive/`; a dry run only says which. */
  archive(input: ArchiveInput, dryRun: boolean): Promise<ArchivedTask[]>;
  /** Moves texts that stand in records, or in files of any place, to folders of their tasks; without `apply` only says which. */
  migrate(apply: boolean): Promise<MigratedTask[]>;
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
