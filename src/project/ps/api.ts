import type { LastEvent } from './last-event.ts';
import type { Layout } from './whose.ts';

/** What runs, one entry per attempt or command, and never one without a process. */
export interface PsEntry {
  /**
   * running: a docket runs its task. stray: docket started it, and none runs it now. suspect: an orphan in one of docket's
   * folders, or of a task that cannot be read: nobody can say whose it is, so docket never ends it.
   */
  state: 'running' | 'stray' | 'suspect';
  layout?: Layout;
  task?: string;
  /** What people call a task of the queue. */
  name?: string;
  step?: string;
  attempt?: number;
  /** Who works there; for a command of docket's own what it is for, for a suspect its program. */
  agent: string;
  /** Of its supervisor, or of the first that is left. */
  pid: number;
  /** Of all of them. */
  pids: number[];
  since?: string;
  cpuSeconds: number;
  /** Of one processor, a moment ago. */
  cpuPercent: number;
  rssBytes: number;
  /** TCP ports that it listens on, where the system tells. */
  ports: number[];
  last?: LastEvent;
  /** Why it is not one that runs. */
  why?: string;
  /** The command that goes on with it. */
  goOn?: string;
  /** The command that ends it. */
  end?: string;
}

export interface EndedStray extends PsEntry {
  ended: boolean;
  /** Why it was left alone, or could not be ended. */
  problem?: string;
}

export interface Processes {
  /** Writes nothing. */
  list(): Promise<PsEntry[]>;
  /** Ends the strays, by their mark. `dryRun`: only says which. */
  endStrays(options: { dryRun: boolean }): Promise<EndedStray[]>;
}
