import path from 'node:path';
import { createFile, linkFile, listDir, makeDir, replaceFile, syncDir } from '../../io/files.ts';
import type { Event } from '../../task/schema.ts';
import { encodeLine, type Header } from '../line.ts';
import type { Journal } from './journal.ts';
import { journalAt, type Place, type StoreFacts } from './place.ts';

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

/** Takes in what is new, also across journals that were put away since we last looked. */
export function readOn(place: Place, journal: Journal, apply: (event: Event) => void): void {
  journal.readNew(apply, (after, before) => archivedJournals(place, after, before));
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
