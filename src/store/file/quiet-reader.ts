import path from 'node:path';
import { iso, type Clock } from '../../io/clock.ts';
import { fingerprint } from '../../io/files.ts';
import type { Log } from '../../layout/layout.ts';
import type { Task } from '../../task/schema.ts';
import { isFinal } from '../../task/status.ts';
import type { Ledger } from '../ledger.ts';
import { loadLedger } from './load.ts';
import { noteFile, readNote } from './mirror-note.ts';
import { journalAt, placeOf, readFacts, type Place } from './place.ts';

/**
 * What `readStore` reads in the usual case: nobody has changed the mirror and nothing in it is wrong. Then the
 * layout is not needed, nor, if no process holds a task, the lifecycle; to load them takes longer than to read.
 * Undefined: it is not that case.
 */
export async function readQuietStore(options: {
  root: string;
  dir: string;
  mirror: string;
  clock: Clock;
}): Promise<Ledger | undefined> {
  const place = placeOf(options.dir);
  readFacts(place);
  // Before the journal, as in `readStore`.
  const note = readNote(noteFile(place.dir));
  const isOurs = fingerprint(path.join(options.root, options.mirror)) === note.fingerprint;
  if (!isOurs || Object.keys(note.wrongs).length > 0 || note.held) return undefined;
  const ledger = ledgerOf(place);
  if (note.seq > ledger.seq) return undefined;
  await freeGoneIn(ledger, options.clock);
  return ledger;
}

/**
 * The same for the store of one task. What is over is what its journal says, whatever stands in its file: then the file
 * need not be ours. `log`: the journal is the format's own.
 */
export async function readQuietOne(options: {
  root: string;
  dir: string;
  mirror: string;
  id: string;
  clock: Clock;
  log?: Log;
}): Promise<Task | undefined> {
  const { root, dir, mirror, id, clock, log } = options;
  const place = log ? placeOf(dir, { root, log }) : placeOf(dir);
  readFacts(place);
  const note = readNote(noteFile(place.dir)); // before the journal, as in `readStore`
  const isOurs = fingerprint(path.join(root, mirror)) === note.fingerprint;
  const { ledger, strays } = foldOf(place);
  if (strays.length > 0) return undefined;
  const task = ledger.get(id);
  if (!task || isFinal(task.status)) return task;
  if (!isOurs || Object.keys(note.wrongs).length > 0 || note.seq > ledger.seq) return undefined;
  await freeGoneIn(ledger, clock);
  return ledger.get(id);
}

/** The same for a log: there is no file that somebody could have changed. */
export async function readQuietLog(options: {
  root: string;
  dir: string;
  log: Log;
  clock: Clock;
}): Promise<Ledger> {
  const place = placeOf(options.dir, options);
  readFacts(place);
  const ledger = ledgerOf(place);
  await freeGoneIn(ledger, options.clock);
  return ledger;
}

/** The lifecycle is loaded only if a process holds a task. */
async function freeGoneIn(ledger: Ledger, clock: Clock): Promise<void> {
  if (![...ledger.held()].some(isHeldByProcess)) return;
  const { freeGone } = await import('./reader.ts');
  freeGone(ledger, iso(clock));
}

function ledgerOf(place: Place): Ledger {
  return foldOf(place).ledger;
}

function foldOf(place: Place): { ledger: Ledger; strays: readonly number[] } {
  const journal = journalAt(place, 'read');
  try {
    return { ledger: loadLedger(place, journal).ledger, strays: journal.strays };
  } finally {
    journal.close();
  }
}

function isHeldByProcess(task: Task): boolean {
  return 'lease' in task && task.lease?.kind === 'process';
}
