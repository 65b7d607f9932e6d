import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix, type CommandLine } from '../../errors/command.ts';
import { readBytes, replaceFile, sizeAndInode } from '../../io/files.ts';
import type { LockKind } from '../../io/lock.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Log } from '../../layout/layout.ts';
import { asciiJson } from '../../schema/json.ts';
import { logCodec } from '../codec.ts';
import type { FilePlace, Finding, State, StateValue } from '../store.ts';
import { readHighWater } from './high-water.ts';
import { Journal } from './journal.ts';
import { readWholeNote, wholeNoteFile } from './whole-note.ts';

/** Where a store's own files are, and what was fixed when it was made. */
export interface Place {
  dir: string;
  journal: string;
  snapshot: string;
  lockFile: string;
  runLocks: string;
  blobs: string;
  archive: string;
  /** The journal is a log in a format of its own. */
  log?: Log;
}

export interface StoreFacts {
  v: 1;
  id: string;
  layout: string;
  lock: LockKind;
}

/** `own` says what of it lies with people's files below the root: a log, and long texts that belong to it. */
export function placeOf(dir: string, own?: { root: string; log: Log }): Place {
  const at = (name: string) => path.join(dir, name);
  const place = {
    dir,
    journal: at('journal.jsonl'),
    snapshot: at('snapshot.jsonl'),
    lockFile: at('store.lock'),
    runLocks: at('locks'),
    blobs: at('blobs'),
    archive: at('archive'),
  };
  if (!own) return place;
  const { root, log } = own;
  const theirs = { journal: path.join(root, log.path), blobs: path.join(root, log.blobs), log };
  if (!log.shared) return { ...place, ...theirs };
  const locks = path.join(root, log.shared.locks);
  return {
    ...place,
    ...theirs,
    // Not named as the other tools name theirs: they remove what they take for a lock that was left behind.
    lockFile: path.join(locks, 'docket.mutex'),
    runLocks: path.join(locks, 'runs'),
    archive: path.join(root, log.shared.archive),
  };
}

/** The command that accepts a log that lost something. */
export function repairCommand(place: Place): CommandLine {
  return command`repair ${repairName(place)}`;
}

function repairName({ dir, log }: Place): string {
  const name = path.basename(dir);
  if (log?.shared) return 'board';
  return log || name === 'queue' ? name : path.basename(path.resolve(dir, '..', '..')); // a packet keeps its store inside
}

/** Where the store of this layout is. */
export function placeFor({ root, dir, layout }: FilePlace): Place {
  return layout.log ? placeOf(dir, { root, log: layout.log }) : placeOf(dir);
}

export function readFacts(place: Place): StoreFacts | undefined {
  const file = path.join(place.dir, 'store.json');
  const text = readBytes(file)?.toString('utf8');
  if (text === undefined) return undefined;
  const facts = parseFacts(text);
  if (facts?.v === 1 && (facts.lock === 'kernel' || facts.lock === 'link')) return facts;
  if (Number(facts?.v) > 1) {
    const message = `${file} was written by a newer docket (format ${String(facts?.v)})`;
    throw new DocketError(
      'NEWER_FORMAT',
      message,
      fix`update docket; "${command`version`}" shows which one this is`,
      {
        path: file,
      },
    );
  }
  const todo = `restore it from a backup: it says how this store is locked; to begin anew, move ${place.dir} away`;
  throw new DocketError('BAD_FILE', `${file} is not the description of a docket store`, todo, { path: file });
}

function parseFacts(text: string): StoreFacts | undefined {
  try {
    return (JSON.parse(text) as StoreFacts | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function journalAt(place: Place, access: 'read' | 'write'): Journal {
  return new Journal(place.journal, access, place.log && logCodec(place.log));
}

/** A journal is missing where a store has been at work: that is a loss to report, not a fresh start. */
export function assertJournalNotLost(place: Place): void {
  const size = sizeAndInode(place.journal)?.size;
  // A log that people share begins with all tasks, however often it was put away: it is empty before the first one only.
  if (size !== undefined && (size > 0 || !place.log?.shared)) return;
  const state = size === undefined ? 'gone' : 'empty';
  const mark = readHighWater(place.dir, place.journal);
  if (mark && mark.seq > 0)
    throw new DocketError(
      'BAD_JOURNAL',
      `${place.journal} is ${state}: all of its ${mark.seq} events are missing`,
      fix`restore it from a backup, or begin anew without them: ${repairCommand(place)}`,
      { path: place.journal, missing: mark.seq },
    );
  const whole = wholeNoteFile(place.dir);
  for (const sign of [place.snapshot, path.join(place.dir, 'base'), place.archive, whole]) {
    if (sizeAndInode(sign) === undefined) continue;
    // It is there from the beginning: what it says counts.
    if (sign === whole && readWholeNote(whole).position.seq === 0) continue;
    throw new DocketError(
      'BAD_JOURNAL',
      `${place.journal} is ${state}, though ${path.basename(sign)} says that it had something in it`,
      `restore it from a backup; to start anew on purpose, move ${place.dir} away`,
      { path: place.journal },
    );
  }
}

const longest = 4 * 1024 * 1024;

/** A JSON file for each value: the layout says which, so that other tools find it; else it is docket's own. */
export function fileState({ root, dir, layout }: FilePlace): State {
  const nameOf = (name: string) =>
    layout.log?.state?.[name] ?? path.relative(root, path.join(dir, `${name}.json`));
  return {
    get(name) {
      const file = nameOf(name);
      const text = readTextFile(path.join(root, file), longest);
      return text === undefined ? {} : parsed(file, text);
    },
    /** At once, so before the events of the job: a crash between leaves the value without them, never the reverse. */
    set(name, value) {
      const text = asciiJson(JSON.stringify(value, undefined, 2));
      replaceFile(path.join(root, nameOf(name)), `${text}\n`, { sync: true, own: true });
    },
  };
}

/** What does not parse is somebody's, and stays. */
function parsed(file: string, text: string): StateValue {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as StateValue;
  } catch {
    // said below
  }
  throw new DocketError('BAD_FILE', `${file} is no JSON object`, 'mend it, or remove it', { path: file });
}

/** Lines of a task's log that are no events. docket goes on without them; people are told. */
export function strayFindings(place: Place, lines: readonly number[]): Finding[] {
  const message = 'the line is not an event; docket ignores it';
  const todo = fix`set it aside: ${command`repair ${repairName(place)} --apply`}`.text;
  return lines.map((line) => ({ severity: 'warning', path: place.journal, line, message, fix: todo }));
}
