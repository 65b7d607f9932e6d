import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DocketError } from '../../errors.ts';
import type { Clock } from '../../io/clock.ts';
import { readBytes, removeFile } from '../../io/files.ts';
import type { LogLayout } from '../../layout/layout.ts';
import { openFileStore } from '../file/file-store.ts';
import { readOn } from '../file/load.ts';
import { holdLock } from '../file/outside-lock.ts';
import { assertJournalNotLost, journalAt, placeFor, readFacts, type Place } from '../file/place.ts';
import { wholeNoteFile } from '../file/whole-note.ts';
import { Ledger } from '../ledger.ts';

/** How the file that lists all tasks differs from what the log says. */
export interface Rebuilt {
  events: number;
  tasks: number;
  /** The log has them, the file has not; the other way round; and both have them, in other words. */
  missing: string[];
  unknown: string[];
  changed: string[];
  /** The file is not there, or cannot be read. */
  broken?: 'missing' | 'unreadable';
  written: boolean;
}

interface Where {
  root: string;
  dir: string;
  layout: LogLayout;
  clock: Clock;
  lockWaitMs?: number;
  warn?: (warning: string) => void;
}

/** Reads the log from its start, whatever is kept beside it, and compares. Unless it is a dry run, all is made anew. */
export async function rebuildWhole(where: Where, { dryRun }: { dryRun: boolean }): Promise<Rebuilt> {
  const place = placeFor(where);
  const found = compared(where, place);
  if (dryRun) return { ...found, written: false };
  if (found.events === 0 && found.unknown.length > 0) {
    const message = `${place.journal} says nothing of the ${found.unknown.length} tasks in ${where.layout.whole.path}`;
    const fix = 'restore the log from a backup; to start anew on purpose, move that file away';
    throw new DocketError('BAD_JOURNAL', message, fix, { path: place.journal });
  }
  if (readFacts(place))
    await holdLock(place, undefined, where.lockWaitMs ?? 10_000, () => {
      removeFile(place.snapshot);
      removeFile(wholeNoteFile(place.dir));
    });
  await (await openFileStore(where)).close();
  return { ...found, written: true };
}

function compared({ root, layout }: Where, place: Place): Omit<Rebuilt, 'written'> {
  const ledger = new Ledger(layout.log);
  const journal = journalAt(place, 'read');
  try {
    assertJournalNotLost(place);
    readOn(place, journal, (event) => ledger.apply(event));
  } finally {
    journal.close();
  }
  const { whole } = layout;
  const wanted = new Map<string, unknown>();
  for (const task of ledger.list()) {
    const piece = whole.piece(task);
    if (piece !== undefined) wanted.set(task.id, Object.values(JSON.parse(`{${piece}}`) as object)[0]);
  }
  const file = tasksIn(readBytes(path.join(root, whole.path)));
  const there = typeof file === 'string' ? {} : file;
  const ids = [...wanted.keys()];
  return {
    events: ledger.seq - journal.base,
    tasks: ids.length,
    missing: ids.filter((id) => !Object.hasOwn(there, id)),
    unknown: Object.keys(there).filter((id) => !wanted.has(id)),
    changed: ids.filter((id) => Object.hasOwn(there, id) && !isDeepStrictEqual(there[id], wanted.get(id))),
    ...(typeof file === 'string' && { broken: file }),
  };
}

function tasksIn(bytes: Buffer | undefined): Record<string, unknown> | 'missing' | 'unreadable' {
  if (bytes === undefined) return 'missing';
  try {
    const { tasks } = (JSON.parse(bytes.toString('utf8')) as { tasks?: unknown } | null) ?? {};
    if (typeof tasks === 'object' && tasks !== null) return tasks as Record<string, unknown>;
  } catch {
    // Torn, or something else altogether.
  }
  return 'unreadable';
}
