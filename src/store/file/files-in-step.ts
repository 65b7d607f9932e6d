import type { Layout } from '../../layout/layout.ts';
import type { Order } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import type { Ledger } from '../ledger.ts';
import type { AnsweredRemoval, Commit, Finding } from '../store.ts';
import type { Settling } from './mirror.ts';
import type { Place } from './place.ts';
import type { Placed } from './position.ts';

/** Follows a store: the writer asks it before the jobs of a round, under the lock, and tells it after them. */
export interface Subscriber {
  /** What people did outside of the store becomes events. */
  adoptEdits(ledger: Ledger, commit: Commit, now: string, journal: Placed): void;
  /** Milliseconds until it is worth a look; 0 = now. */
  unsettledMs(): number;
  /** Milliseconds until it should be told what the store says; 0 = now, undefined = it knows. */
  dueIn(ledger: Ledger): number | undefined;
  hurry(): void;
  write(ledger: Ledger, journal: Placed): void;
  /** Milliseconds until a write that came to nothing is tried again; undefined: there is none. */
  readonly retryIn: number | undefined;
  /** Why it stays behind when nobody waits any longer; undefined: somebody still should. */
  readonly givenUp: string | undefined;
}

/** Keeps people's files and the journal in step. */
export interface FilesInStep extends Subscriber {
  /** What people must mend in their files. */
  readonly findings: Finding[];
  /** Where tasks stand in the file, if people put it in order. */
  readonly order?: (tasks: Iterable<Task>) => Order;
  /** Tasks that must not start before a person has answered. */
  readonly waitingForAnswer?: ReadonlySet<string>;
  /** A person's answer to removals that were held. */
  answerRemovals?(
    confirm: boolean,
    by: string,
    under: { ledger: Ledger; commit: Commit; now: string },
  ): AnsweredRemoval[];
}

export interface FilesOptions extends Settling {
  root: string;
  place: Place;
  layout: Layout;
  projectionLagMs: number;
  /** How long other tools that have a file locked are waited for. */
  fileWaitMs?: number;
  warn: (warning: string) => void;
}

/** Only the module is loaded that the layout needs: to load both takes longer than a command on a short log. */
export async function filesFor(
  layout: Layout,
): Promise<(options: Omit<FilesOptions, 'layout'>) => FilesInStep> {
  if (layout.mirror === undefined) {
    const { WholeFile } = await import('./whole-file.ts');
    return (options) => new WholeFile({ ...options, layout });
  }
  const { Projection } = await import('./projection.ts');
  return (options) => new Projection({ ...options, layout });
}
