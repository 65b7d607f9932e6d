import { archivedJournals, readOn } from './archive.ts';
import type { Journal } from './journal.ts';
import { Ledger } from './ledger.ts';
import { assertJournalNotLost, type Place } from './place.ts';
import { readSnapshot } from './snapshot.ts';

/** The fold of everything so far: a snapshot and the lines behind it where possible, else the whole history. */
export function loadLedger(place: Place, journal: Journal): { ledger: Ledger; snapshotSeq: number } {
  const snapshot = hasSnapshot(place) ? readSnapshot(place.snapshot, place.log) : undefined;
  if (snapshot && journal.seek(snapshot.position)) {
    readOn(place, journal, (event) => snapshot.ledger.apply(event));
    return { ledger: snapshot.ledger, snapshotSeq: snapshot.position.seq };
  }
  const ledger = new Ledger(place.log);
  const apply = ledger.apply.bind(ledger);
  journal.open();
  assertJournalNotLost(place);
  // A log in a format of its own begins with all that there was: what was put away before is history only.
  for (const archived of place.log ? [] : archivedJournals(place, 0, journal.base)) {
    archived.readNew(apply);
    archived.close();
  }
  readOn(place, journal, apply);
  return { ledger, snapshotSeq: 0 };
}

/** A log of one task is never long, and is kept as it is for ever: it is read from its start. */
export function hasSnapshot({ log }: Place): boolean {
  return log === undefined || log.shared !== undefined;
}
