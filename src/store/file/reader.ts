import { iso, type Clock } from '../../io/clock.ts';
import type { Layout } from '../../layout/layout.ts';
import type { Order } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import { freeDead } from '../claim.ts';
import { isGone } from '../gone.ts';
import type { Ledger } from '../ledger.ts';
import type { Finding, ListQuery } from '../store.ts';
import { waitsIn, type Waits } from '../waits.ts';
import type { FilesInStep, FilesOptions } from './files-in-step.ts';
import { loadLedger } from './load.ts';
import { journalAt, placeFor, readFacts } from './place.ts';
import { Projection } from './projection.ts';
import { strayFindings } from './stray-findings.ts';
import { WholeFile } from './whole-file.ts';

export interface StoreView {
  tasks: Task[];
  waits: Waits;
  findings: Finding[];
}

/** With the order of people's file: to look it up costs a look at the file. */
export interface OrderedView extends StoreView {
  order: (tasks: Iterable<Task>) => Order | undefined;
  /** Tasks whose worker has died: they are shown as queued, and the journal does not say so yet. */
  freed: ReadonlySet<string>;
}

/**
 * The store as it is, without a lock and without writing a byte. Edits that nobody has taken in yet and workers
 * that are gone are folded in memory, so that what is shown is what the next writer will make of it.
 */
export function readStore(
  options: { root: string; dir: string; layout: Layout; clock: Clock },
  query: ListQuery = {},
): OrderedView {
  const place = placeFor(options);
  const journal = journalAt(place, 'read');
  try {
    readFacts(place);
    // Before the journal: what it says of the file must not be newer than the events that we know.
    const projection = filesInStep({
      ...options,
      place,
      projectionLagMs: 0,
      settleMs: 0,
      warn: () => undefined,
    });
    const { ledger } = loadLedger(place, journal);
    const now = iso(options.clock);
    projection.adoptEdits(ledger, (tx) => ledger.commit(tx, now), now, journal);
    const freed = freeGone(ledger, now);
    return {
      tasks: ledger.list(query),
      waits: waitsIn(ledger),
      findings: [...projection.findings, ...strayFindings(place, journal.strays)],
      order: (tasks) => projection.order?.(tasks),
      freed,
    };
  } finally {
    journal.close();
  }
}

function filesInStep({ layout, ...options }: FilesOptions): FilesInStep {
  return layout.mirror === undefined
    ? new WholeFile({ ...options, layout })
    : new Projection({ ...options, layout });
}

/** Frees claims of workers that have died, as far as that can be told without a lock. Returns their tasks. */
export function freeGone(ledger: Ledger, now: string): Set<string> {
  const freed = new Set<string>();
  freeDead(ledger, isGone, now, (tx) => {
    const id = tx.events[0]?.taskId ?? '';
    freed.add(id);
    // Nothing is written: a task that its worker left was last changed when that worker changed it.
    return ledger.commit(tx, ledger.get(id)?.updatedAt ?? now);
  });
  return freed;
}
