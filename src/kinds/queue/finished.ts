import type { ListQuery, Store } from '../../store/store.ts';
import type { StoreView } from '../../store/view.ts';
import type { Task } from '../../task/schema.ts';
import type { Status } from '../../task/status.ts';
import type { QueueProject } from './kind.ts';

/** What is done with a task's work after its run. Tasks are named by id or by the name of their entry. */
export interface FinishedWork {
  /** What it changed, as git tells it. Changes nothing. */
  diff(ref: string, form: DiffForm): Promise<Diff>;
  merge(input: MergeInput): Promise<MergedTask[]>;
  pullRequest(ref: string, input: PrInput): Promise<{ task: Task; url: string; isNew: boolean }>;
  /** Takes records and workspaces away, where nothing is lost by it: looks at all of them first. */
  remove(refs: readonly string[], input: RemoveInput): Promise<Removed[]>;
  restore(ref: string, dryRun: boolean): Promise<Restored>;
  /** What tasks take up on the disk, the largest first. Changes nothing. */
  /** Takes away workspaces of finished tasks that are too old, or too much, where nothing is lost by it. */
  clean(input: CleanInput): Promise<Cleaned>;
}

/** patch: git can apply it. view: the same for people's eyes, without the contents of files that are no text. */
export type DiffForm = 'patch' | 'view' | 'stat' | 'names';

export interface Diff {
  task: Task;
  text: string;
  /** What it was compared with. */
  base: string;
  /** A work tree that was looked into, with what is not committed; absent: the commits of its branch. */
  workspace?: string;
  /** It was worked on in place. */
  inPlace?: true;
  /** Where its work cannot be told from that of others, and how far that goes. */
  others?: Others;
}

export interface Others {
  /** It is not known how it left the tree: what others may have changed since is in it as well. */
  since?: true;
  /** Files that were touched again after it: they are left out. */
  leftOut?: string[];
  /** Files with changes that nobody had committed when it began: those are in it as well. */
  before?: string[];
}

export interface MergeInput {
  /** Absent: all finished work, in the order in which it was finished. */
  tasks?: readonly string[];
  into?: string;
  squash?: boolean;
  dryRun?: boolean;
  signal: AbortSignal;
  onProgress?: (text: string) => void;
}

/**
 * merged: it is on the branch. already: it was. fits: a dry run found no conflict. conflict, rejected: the task is blocked,
 * with its reason and evidence. refused: nobody's fault, and it can be tried again.
 */
type MergeState = 'merged' | 'already' | 'fits' | 'conflict' | 'rejected' | 'refused';

export interface MergedTask {
  task: Task;
  into: string;
  state: MergeState;
  commit?: string;
  /** In conflict. */
  files?: string[];
  reason?: string;
  /** Where it is all written down. */
  evidence?: string;
  /** Ids of tasks with which alone it fails, or because of which it conflicts. */
  together?: string[];
  /** Files with edits by hand in its workspace: committed and tested with it, or, of a dry run, left out of what it says. */
  edits?: string[];
}

export interface PrInput {
  draft?: boolean;
  title?: string;
  body?: string;
  remote: string;
}

export interface RemoveInput {
  keepAs?: string;
  dryRun: boolean;
  by: string;
}

export interface Removed {
  task: Task;
  workspace?: string;
  branch?: string;
  keptAs?: string;
  /** It was deleted before; what a call that was cut off left of it is gone now. */
  already?: true;
  dryRun: boolean;
}

export interface Restored {
  task: Task;
  workspace?: string;
  branch?: string;
  from?: string;
  dryRun: boolean;
}

/** What these commands work with. */
export interface FinishedPlaces extends QueueProject {
  read: (query: ListQuery) => Promise<StoreView>;
  open: () => Promise<Store>;
}

export function finishedWork(places: FinishedPlaces): FinishedWork {
  return {
    diff: async (ref, form) => (await import('./diff.ts')).diffOf(places, ref, form),
    merge: async (input) => (await import('./merge.ts')).mergeTasks(places, input),
    pullRequest: async (ref, input) => (await import('./publish.ts')).publish(places, ref, input),
    remove: async (refs, input) => (await import('./remove.ts')).removeTasks(places, refs, input),
    restore: async (ref, dryRun) => (await import('./restore.ts')).restoreTask(places, ref, dryRun),
    clean: async (input) => (await import('./clean.ts')).cleanWorkspaces(places, input),
  };
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
