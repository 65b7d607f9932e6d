import path from 'node:path';
import { DocketError } from '../errors.ts';
import { createFile, makeDir, readBytes, sizeAndInode } from '../io/files.ts';
import { checkFileSystem } from '../io/fs-kind.ts';
import { bestLockKind, type LockKind } from '../io/lock.ts';

/** Where a store's own files are, and what was fixed when it was made. */
export interface Place {
  dir: string;
  journal: string;
  snapshot: string;
  lockFile: string;
  runLocks: string;
  blobs: string;
}

export interface StoreFacts {
  v: 1;
  id: string;
  layout: string;
  lock: LockKind;
}

export function placeOf(dir: string): Place {
  const at = (name: string) => path.join(dir, name);
  return {
    dir,
    journal: at('journal.jsonl'),
    snapshot: at('snapshot.jsonl'),
    lockFile: at('store.lock'),
    runLocks: at('locks'),
    blobs: at('blobs'),
  };
}

/** Our files are not for version control, people's settings are. */
const gitignore = '*\n!.gitignore\n!config.yaml\n';

/** Makes the folder if there is none. Two processes that come first at once agree: the second reads the first's. */
export function makePlace(place: Place, layout: string, id: string, kind?: LockKind): StoreFacts {
  checkFileSystem(nearestExisting(place.dir));
  makeDir(place.runLocks);
  createFile(path.join(path.dirname(place.dir), '.gitignore'), gitignore);
  const facts: StoreFacts = { v: 1, id, layout, lock: kind ?? bestLockKind() };
  createFile(path.join(place.dir, 'store.json'), `${JSON.stringify(facts, null, 2)}\n`);
  return readFacts(place) ?? facts;
}

export function readFacts(place: Place): StoreFacts | undefined {
  const file = path.join(place.dir, 'store.json');
  const text = readBytes(file)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    const facts = JSON.parse(text) as StoreFacts;
    if (facts.v === 1 && (facts.lock === 'kernel' || facts.lock === 'link')) return facts;
  } catch {
    // Falls through to the error: either way it is not what we wrote.
  }
  throw new DocketError(
    'BAD_FILE',
    `${file} is not a docket store's description`,
    'restore it, or update docket',
    { path: file },
  );
}

/** A journal is missing where a store has been at work: that is a loss to report, not a fresh start. */
export function assertJournalNotLost(place: Place): void {
  for (const sign of [place.snapshot, path.join(place.dir, 'base'), path.join(place.dir, 'archive')]) {
    if (sizeAndInode(sign) === undefined) continue;
    throw new DocketError(
      'BAD_JOURNAL',
      `${place.journal} is gone, though ${path.basename(sign)} beside it says that there was one`,
      'restore the journal from a backup; to start anew on purpose, move the whole folder away',
      { path: place.journal },
    );
  }
}

function nearestExisting(dir: string): string {
  for (let at = dir; ; at = path.dirname(at)) {
    if (sizeAndInode(at) !== undefined || path.dirname(at) === at) return at;
  }
}
