import { iso, type Clock } from '../../io/clock.ts';
import type { Layout } from '../../layout/layout.ts';
import { freeDead } from '../claim.ts';
import { isGone } from '../gone.ts';
import type { Ledger } from '../ledger.ts';
import type { ReadNotes } from '../store.ts';
import type { FilesInStep, FilesOptions } from './files-in-step.ts';
import { loadLedger } from './load.ts';
import { type Place, journalAt, readFacts, strayFindings } from './place.ts';
import { Projection } from './projection.ts';
import { WholeFile } from './whole-file.ts';

/** The journal, and people's file with what somebody has edited in it: all of it is taken in, in memory. */
export function readWhole(options: {
  root: string;
  place: Place;
  layout: Layout;
  clock: Clock;
}): { tasks: Ledger } & ReadNotes {
  const { place, clock } = options;
  const journal = journalAt(place, 'read');
  try {
    readFacts(place);
    // Before the journal: what it says of the file must not be newer than the events that we know.
    const projection = filesInStep({ ...options, projectionLagMs: 0, settleMs: 0, warn: () => undefined });
    const { ledger } = loadLedger(place, journal);
    const now = iso(clock);
    projection.adoptEdits(ledger, (tx) => ledger.commit(tx, now), now, journal);
    const freed = freeGone(ledger, now);
    return {
      tasks: ledger,
      findings: [...projection.findings, ...strayFindings(place, journal.strays)],
      freed,
      fromFile: true,
      order: (tasks) => projection.order?.(tasks),
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
