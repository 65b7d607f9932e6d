import { iso, type Clock } from '../io/clock.ts';
import { liveness } from '../io/identity.ts';
import type { Layout } from '../layout/layout.ts';
import type { Task } from '../task/schema.ts';
import type { Finding, ListQuery } from './backend.ts';
import { freeDead } from './claim.ts';
import { Journal } from './journal.ts';
import { loadLedger } from './load.ts';
import { placeOf } from './place.ts';
import { Projection } from './projection.ts';

export interface StoreView {
  tasks: Task[];
  findings: Finding[];
}

/**
 * The store as it is, without a lock and without writing a byte. Edits that nobody has taken in yet and workers
 * that are gone are folded in memory, so that what is shown is what the next writer will make of it.
 */
export function readStore(
  options: { root: string; dir: string; layout: Layout; clock: Clock },
  query: ListQuery = {},
): StoreView {
  const place = placeOf(options.dir);
  const journal = new Journal(place.journal, 'read');
  try {
    const { ledger } = loadLedger(place, journal);
    const projection = new Projection({ ...options, place, projectionLagMs: 0, warn: () => undefined });
    const now = iso(options.clock);
    projection.adoptEdits(ledger, (tx) => ledger.commit(tx, now), now);
    freeDead(
      ledger,
      (task) => 'lease' in task && task.lease?.kind === 'process' && liveness(task.lease) === 'dead',
      now,
      (tx) => ledger.commit(tx, now),
    );
    return { tasks: ledger.list(query), findings: projection.findings };
  } finally {
    journal.close();
  }
}
