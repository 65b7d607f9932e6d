import path from 'node:path';
import { createFile, linkFile, listDir, makeDir, readBytes, replaceFile, syncDir } from '../../io/files.ts';
import type { Event } from '../../task/schema.ts';
import { type Header, encodeLine } from '../codec.ts';
import { lostArchive, lostEvents } from '../journal-error.ts';
import { Ledger } from '../ledger.ts';
import { lossOf, readHighWater } from './high-water.ts';
import type { Journal } from './journal.ts';
import { type Place, type StoreFacts, assertJournalNotLost, journalAt, repairCommand } from './place.ts';
import { readSnapshot, type OpenSnapshot } from './snapshot.ts';

/**
 * Under the lock, the journal flushed. A journal's bytes never change: the whole file gets a second name in the archive, then the
 * first name goes to a new file that starts where the old one ends. Killed between any two steps, either the old
 * journal or the new one is in force, and both lead to the same state.
 */
export function archiveJournal(place: Place, facts: StoreFacts, journal: Journal): void {
  if (journal.seq === journal.base) return;
  putAway(place, journal);
  createJournal(journal, facts.id, journal.seq);
  journal.rewind();
  journal.open();
}

/** The same for a log in a format of its own: the new one begins with all that its readers must know of the tasks. */
export function archiveLog(place: Place, journal: Journal, lines: string): void {
  putAway(place, journal);
  replaceJournal(journal, lines);
}

/** Makes the file with its header, complete from its first moment and on disk. */
export function createJournal({ path: file, codec }: Journal, store: string, base = 0): void {
  const header: Header = { docket: 'journal', v: 1, store, base };
  if (codec.header) replaceFile(file, encodeLine(header), { sync: true });
  else createFile(file, '', { sync: true, mode: 0o600 }); // another tool may make it this moment
}

/** Puts a log of these lines in its place, complete from its first moment, and is at its start. */
function replaceJournal(journal: Journal, lines: string): void {
  replaceFile(journal.path, lines, { sync: true });
  journal.rewind();
  journal.open();
}

function putAway(place: Place, journal: Journal): void {
  const archived = archivePath(place, journal.base);
  makeDir(place.archive);
  linkFile(journal.path, archived);
  syncDir(place.archive);
}

/**
 * Takes in what is new, also across journals that were put away since we last looked. `isEnough`: the rest may stay for
 * the next time.
 */
export function readOn(
  place: Place,
  journal: Journal,
  apply: (event: Event) => void,
  isEnough?: () => boolean,
): void {
  journal.readNew(apply, (after, before) => archivedJournals(place, after, before), isEnough);
}

/** The journals that were put away, oldest first, from the one that holds the event after `after`. */
export function archivedJournals(place: Place, after: number, before: number): Journal[] {
  const bases = basesIn(place)
    .filter((base) => base < before)
    .toSorted((a, b) => a - b);
  return bases
    .filter((_, index) => (bases[index + 1] ?? before) > after)
    .map((base) => journalAt({ ...place, journal: archivePath(place, base) }, 'read'));
}

/** Archived journals that a log with this base does not continue: it would be archived under one of their names. */
export function archivesFrom(place: Place, base: number): string[] {
  return basesIn(place)
    .filter((one) => one >= base)
    .map((one) => archivePath(place, one));
}

function basesIn({ archive }: Place): number[] {
  return listDir(archive)
    .map((name) => /^(\d{12})\.jsonl$/.exec(name)?.[1])
    .filter((base) => base !== undefined)
    .map(Number);
}

function archivePath(place: Place, base: number): string {
  return path.join(place.archive, `${String(base).padStart(12, '0')}.jsonl`);
}

interface Loaded {
  ledger: Ledger;
  snapshotSeq: number;
}

type Read = (event: Event) => void;

/**
 * The fold of everything so far: a snapshot and the lines behind it where possible, else the whole history. A log that
 * has lost something is refused; where a line of it says what happened, that is the better message.
 */
export function loadLedger(
  place: Place,
  journal: Journal,
  read: Read = () => undefined,
  open: OpenSnapshot = readSnapshot,
): Loaded {
  const mark = readHighWater(place.dir, place.journal); // before the log, which only grows
  const loss = mark && journal.open() ? lossOf(mark, journal) : undefined;
  if (mark && journal.base === mark.base) journal.acknowledged = mark.offset;
  const loaded = load(place, journal, read, open);
  if (loss) throw lostEvents(place.journal, loss, countEvents(place, journal), repairCommand(place));
  return loaded;
}

function load(place: Place, journal: Journal, read: Read, open: OpenSnapshot): Loaded {
  const snapshot = hasSnapshot(place) ? open(place.snapshot, place.log) : undefined;
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
