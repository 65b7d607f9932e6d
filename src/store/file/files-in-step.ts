import type { Layout } from '../../layout/layout.ts';
import type { Order } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import type { Ledger } from '../ledger.ts';
import type { AnsweredRemoval, Commit, Finding } from '../store.ts';
import type { Settling } from './mirror.ts';
import type { Place } from './place.ts';
import type { Placed } from './position.ts';

/** Keeps people's files and the journal in step. */
export interface FilesInStep {
  /** What people must mend in their files. */
  readonly findings: Finding[];
  /** What people did to the files becomes events. */
  adoptEdits(ledger: Ledger, commit: Commit, now: string, journal: Placed): void;
  /** Milliseconds until the files are worth a look; 0 = now. */
  unsettledMs(): number;
  /** Milliseconds until the files should be written; 0 = now, undefined = they are right. */
  dueIn(ledger: Ledger): number | undefined;
  hurry(): void;
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
  write(ledger: Ledger, journal: Placed): void;
  /** Milliseconds until a write that came to nothing is tried again; undefined: there is none. */
  readonly retryIn: number | undefined;
  /** Why files stay behind when nobody waits any longer; undefined: somebody still should. */
  readonly givenUp: string | undefined;
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
