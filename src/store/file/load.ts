import { readBytes } from '../../io/files.ts';
import type { Event } from '../../task/schema.ts';
import { lostArchive, lostEvents } from '../journal-error.ts';
import { Ledger } from '../ledger.ts';
import { archivedJournals, readOn } from './archive.ts';
import { lossOf, readHighWater } from './high-water.ts';
import type { Journal } from './journal.ts';
import { assertJournalNotLost, repairCommand, type Place } from './place.ts';
import { readSnapshot } from './snapshot.ts';

interface Loaded {
  ledger: Ledger;
  snapshotSeq: number;
}

type Read = (event: Event) => void;

/**
 * The fold of everything so far: a snapshot and the lines behind it where possible, else the whole history. A log that
 * has lost something is refused; where a line of it says what happened, that is the better message.
 */
export function loadLedger(place: Place, journal: Journal, read: Read = () => undefined): Loaded {
  const mark = readHighWater(place.dir, place.journal); // before the log, which only grows
  const loss = mark && journal.open() ? lossOf(mark, journal) : undefined;
  if (mark && journal.base === mark.base) journal.acknowledged = mark.offset;
  const loaded = load(place, journal, read);
  if (loss) throw lostEvents(place.journal, loss, countEvents(place, journal), repairCommand(place));
  return loaded;
}

function load(place: Place, journal: Journal, read: Read): Loaded {
  const snapshot = hasSnapshot(place) ? readSnapshot(place.snapshot, place.log) : undefined;
  if (snapshot && journal.seek(snapshot.position)) {
    readOn(place, journal, (event) => {
      snapshot.ledger.apply(event);
      read(event);
    });
    return { ledger: snapshot.ledger, snapshotSeq: snapshot.position.seq };
  }
  const ledger = new Ledger(place.log);
  const apply = (event: Event): void => {
    ledger.apply(event);
    read(event);
  };
  journal.open();
  assertJournalNotLost(place);
  // A log in a format of its own begins with all that there was: what was put away before is history only.
  if (!place.log) readArchived(place, journal, ledger, apply);
  readOn(place, journal, apply);
  return { ledger, snapshotSeq: 0 };
}

/** Without a snapshot every archived journal is needed: one that is missing, or lost its end, is a loss like any other. */
function readArchived(place: Place, journal: Journal, ledger: Ledger, apply: Read): void {
  const assertAt = (base: number): void => {
    if (base !== ledger.seq) throw lostArchive(place.archive, ledger.seq + 1, base, repairCommand(place));
  };
  for (const archived of archivedJournals(place, 0, journal.base)) {
    try {
      archived.open();
      assertAt(archived.base);
      archived.readNew(apply);
    } finally {
      archived.close();
    }
  }
  assertAt(journal.base);
}

/** A log of one task is never long, and is kept as it is for ever: it is read from its start. */
export function hasSnapshot({ log }: Place): boolean {
  return log === undefined || log.shared !== undefined;
}

/** By its lines, for a message. */
function countEvents(place: Place, { base, codec }: Journal): number {
  const bytes = readBytes(place.journal) ?? Buffer.alloc(0);
  let lines = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) lines += 1;
  return base + Math.max(0, codec.header ? lines - 1 : lines);
}
