import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { DocketError } from '../../src/errors.ts';
import { bestLockKind, lockWithin, openMutex, type LockKind } from '../../src/io/lock.ts';
import { ended, startNode } from '../support/child.ts';
import { scratch } from '../support/scratch.ts';

const kinds: LockKind[] = ['kernel', 'link'];

function lockFile(): string {
  return path.join(scratch(), 'store.lock');
}

/** A process that holds the lock. */
async function holder(kind: LockKind, file: string): Promise<ChildProcess> {
  const child = startNode('locker.mjs', [kind, file, 'hold']);
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('close', () => reject(new Error('the holder ended without the lock')));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once('exit', resolve));
}

test('the native locks are there: what follows tests both kinds', () => {
  expect(bestLockKind()).toBe('kernel');
});

describe.each(kinds)('a %s lock', (kind) => {
  test('is held by one at a time, and given back', () => {
    const file = lockFile();
    const [one, two] = [openMutex(file, kind), openMutex(file, kind)];
    expect([one.tryLock(), two.tryLock()]).toEqual([true, false]);
    one.unlock();
    expect([two.tryLock(), one.tryLock()]).toEqual([true, false]);
    two.close();
    expect(one.tryLock()).toBe(true);
    one.close();
  });

  test(
    'eight processes, some of them killed, count without losing a number',
    { timeout: 120_000 },
    async () => {
      const file = lockFile();
      const counter = path.join(path.dirname(file), 'counter');
      fs.writeFileSync(counter, '00000000');
      const count = (times: number) => startNode('locker.mjs', [kind, file, 'count', counter, String(times)]);
      const logged = () => fs.readFileSync(`${counter}.log`, 'utf8').trimEnd().split('\n').map(Number);
      const workers = Array.from({ length: 8 }, () => ended(count(200)));
      // Four more that never get to their end.
      for (let n = 0; n < 4; n += 1) {
        const victim = count(1_000_000);
        await sleep(150 + Math.random() * 150);
        await kill(victim);
      }
      expect((await Promise.all(workers)).map(({ out }) => out.trim())).toEqual(
        Array.from({ length: 8 }, () => 'ready'),
      );
      const values = logged();
      expect(values.length).toBeGreaterThanOrEqual(1600);
      expect(new Set(values).size).toBe(values.length);
      expect(values.every((value, index) => index === 0 || value > values[index - 1]!)).toBe(true);
      // Who is killed between the two writes has counted, and not logged it.
      expect([0, 1]).toContain(Number(fs.readFileSync(counter, 'utf8')) - Math.max(...values));
    },
  );

  test('of a dead owner is free at once', async () => {
    const file = lockFile();
    const child = await holder(kind, file);
    const mutex = openMutex(file, kind);
    expect(mutex.tryLock()).toBe(false);
    await kill(child);
    // Nobody waits for anything to expire: two tries, one to find the body and one to take its place.
    expect(mutex.tryLock() || mutex.tryLock()).toBe(true);
    mutex.close();
  });

  test('of a suspended owner is never taken', async () => {
    const file = lockFile();
    const child = await holder(kind, file);
    child.kill('SIGSTOP');
    const mutex = openMutex(file, kind);
    const error: unknown = await lockWithin(mutex, 3000).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DocketError);
    expect(error).toMatchObject({ code: 'LOCK_TIMEOUT', exitCode: 75, data: { path: file } });
    expect((error as DocketError).message).toContain(file);
    expect((error as DocketError).fix).not.toBe('');
    child.kill('SIGCONT');
    expect(mutex.tryLock()).toBe(false);
    await kill(child);
    await lockWithin(mutex, 5000);
    mutex.close();
  });

  test('that somebody deleted still excludes everybody who locks from then on', async () => {
    const file = lockFile();
    const [one, two] = [openMutex(file, kind), openMutex(file, kind)];
    expect(one.tryLock()).toBe(true);
    one.unlock();
    fs.rmSync(file, { force: true });
    expect(two.tryLock()).toBe(true);
    expect(one.tryLock()).toBe(false);
    expect((await ended(startNode('locker.mjs', [kind, file, 'once'], { timeout: 700 }))).out).toBe('');
    two.unlock();
    expect(one.tryLock()).toBe(true);
    one.close();
    two.close();
  });
});
