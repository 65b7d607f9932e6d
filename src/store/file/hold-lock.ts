import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { sleep } from '../../io/clock.ts';
import { makeDir } from '../../io/files.ts';
import { lockWithin, openMutex } from '../../io/lock.ts';
import { tryPidLock, type PidLock } from '../../io/pid-lock.ts';
import { readFacts, type Place } from './place.ts';

const pauseMs = 25;

/** Keeps every docket process from writing to a store, and other tools from its mirror, while `use` is at work. */
export async function holdLock<T>(
  place: Place,
  mirrorLock: string | undefined,
  waitMs: number,
  use: () => T | Promise<T>,
): Promise<T> {
  const facts = readFacts(place);
  if (!facts) throw new DocketError('NOT_FOUND', `${place.dir} is no store`, 'open it for writing first');
  const mutex = openMutex(place.lockFile, facts.lock);
  try {
    await lockWithin(mutex, waitMs);
    const release = mirrorLock === undefined ? undefined : await takeWithin(mirrorLock, waitMs);
    try {
      return await use();
    } finally {
      release?.();
    }
  } finally {
    mutex.close(); // and with it the lock
  }
}

async function takeWithin(file: string, waitMs: number): Promise<() => void> {
  makeDir(path.dirname(file));
  const started = performance.now();
  for (;;) {
    const lock: PidLock = tryPidLock(file);
    if (lock.held) return () => lock.release();
    if (performance.now() - started > waitMs) {
      const message = `TaskStore: timed out waiting for lock: ${file}`;
      const fix = `end the process that has it${lock.pid === undefined ? '' : ` (pid ${lock.pid})`}, or wait until it is 30 s old`;
      throw new DocketError('LOCK_TIMEOUT', message, fix, { path: file, pid: lock.pid });
    }
    await sleep(pauseMs);
  }
}
