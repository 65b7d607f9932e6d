import type { Status } from '../../task/status.ts';

/** What a part of it is for. */
export type DiskKind = 'workspace' | 'attempts' | 'evidence' | 'runs' | 'files';

interface DiskPart {
  kind: DiskKind;
  path: string;
  bytes: number;
}

/** What one task takes up. */
export interface DiskUse {
  layout: 'queue' | 'task' | 'packet' | 'board';
  id: string;
  /** Absent: there is no such task any more, or it has none. */
  name?: string;
  status?: Status;
  bytes: number;
  parts: DiskPart[];
}

export interface CleanInput {
  /** Workspaces of tasks that ended so long ago. Absent: what the settings say. */
  olderThanMs?: number;
  /** What all workspaces together may take up. Absent: what the settings say. */
  maxBytes?: number;
  dryRun: boolean;
  by: string;
}

/** A workspace that is due. `keep`: something would be lost, or somebody is in it. */
export interface CleanedWorkspace {
  id: string;
  name: string;
  status: Status;
  workspace: string;
  bytes: number;
  finishedAt: string;
  action: 'remove' | 'keep';
  why: string;
  /** What to do about one that is kept. */
  fix?: string;
}

export interface Cleaned {
  workspaces: CleanedWorkspace[];
  /** What all workspaces took up before, and take up after it. */
  bytesBefore: number;
  bytesAfter: number;
  maxBytes?: number;
  dryRun: boolean;
}
