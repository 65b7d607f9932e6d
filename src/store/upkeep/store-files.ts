import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { listDir, sizeAndInode } from '../../io/files.ts';
import type { LockKind } from '../../io/lock.ts';
import { loadLedger } from '../file/load.ts';
import { holdLock } from '../file/outside-lock.ts';
import { journalAt, placeFor, readFacts } from '../file/place.ts';
import type { FilePlace } from '../store.ts';

/** Which store this is, and what locks it. Undefined: docket has never written there. */
export function factsOf(store: FilePlace): { id: string; lock: LockKind } | undefined {
  return readFacts(placeFor(store));
}

/** Why the log of a store cannot be read, or what it has lost. */
export function faultIn(store: FilePlace): DocketError | undefined {
  const place = placeFor(store);
  const journal = journalAt(place, 'read');
  try {
    loadLedger(place, journal);
    return undefined;
  } catch (error) {
    if (error instanceof DocketError) return error;
    throw error;
  } finally {
    journal.close();
  }
}

/** `base`: how many events were put away before its first line. */
export function sizeOfLog(store: FilePlace): { base: number; events: number; bytes: number } {
  const place = placeFor(store);
  const journal = journalAt(place, 'read');
  try {
    journal.readNew(() => undefined);
    const bytes = sizeAndInode(place.journal)?.size ?? 0;
    return { base: journal.base, events: journal.seq - journal.base, bytes };
  } finally {
    journal.close();
  }
}

/** The lock files of workers; a lock that nobody holds is left over. */
export function workerLocks(store: FilePlace): string[] {
  const { runLocks } = placeFor(store);
  const names = listDir(runLocks).filter((name) => name.endsWith('.lock'));
  return names.map((name) => path.join(runLocks, name));
}

/** Keeps every docket process from writing to a store, and other tools from its mirror, while `use` is at work. */
export function lockStore<T>(
  store: FilePlace,
  use: () => T | Promise<T>,
  { waitMs, mirrorLock }: { waitMs: number; mirrorLock?: string | undefined },
): Promise<T> {
  return holdLock(placeFor(store), mirrorLock, waitMs, use);
}
