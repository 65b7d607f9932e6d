import path from 'node:path';
import { bestLockKind, lockWithin, openMutex } from '../../io/lock.ts';
import type { Config } from '../../settings/config.ts';
import { factsOf } from '../../store/upkeep/store-files.ts';

/** Only one docket at a time tries commits and moves branches. */
export async function withMergeLock<T>(
  dir: string,
  { lockWaitSeconds }: Pick<Config, 'lockWaitSeconds'>,
  use: () => Promise<T>,
): Promise<T> {
  const mutex = openMutex(
    path.join(dir, 'merge.lock'),
    factsOf({ root: dir, dir, layout: {} })?.lock ?? bestLockKind(),
  );
  try {
    await lockWithin(mutex, lockWaitSeconds * 1000);
  } catch (error) {
    mutex.close();
    throw error;
  }
  try {
    return await use();
  } finally {
    mutex.unlock();
    mutex.close();
  }
}
