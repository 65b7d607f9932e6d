import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { setProbe } from '../../src/io/fault.ts';
import { liveness, ownIdentity, type ProcessIdentity } from '../../src/io/identity.ts';
import { openMutex } from '../../src/io/lock.ts';
import { ended, start, startNode } from '../support/child.ts';
import { scratch } from '../support/scratch.ts';

/** A pid that was somebody's a moment ago. */
async function deadPid(): Promise<number> {
  const child = start('true', []);
  await ended(child);
  return child.pid!;
}

const me = ownIdentity();

describe('who is alive', () => {
  test.each<[string, Partial<ProcessIdentity>, string]>([
    ['this process', {}, 'alive'],
    ['its parent with another start time: the pid was reused', { pid: process.ppid }, 'dead'],
    ['this pid with another start time', { startTime: '1' }, 'dead'],
    ['this pid before the boot', { bootId: 'before' }, 'dead'],
    ['a process of another host', { host: 'elsewhere' }, 'unknown'],
    ['a process of another host, before its boot', { host: 'elsewhere', bootId: 'before' }, 'unknown'],
    ['a pid that cannot be', { pid: 2 ** 22 + 1 }, 'dead'],
  ])('%s', (_, other, expected) => {
    expect(liveness({ ...me, ...other })).toBe(expected);
  });

  test('a zombie is dead: it will never give anything back', async () => {
    const child = start('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 30']);
    const pid = await new Promise<number>((resolve) =>
      child.stdout!.once('data', (text: Buffer) => resolve(Number(text))),
    );
    await expect.poll(() => stateOf(pid)).toBe('Z');
    const startTime = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]!;
    expect(liveness({ ...me, pid, startTime })).toBe('dead');
  });

  test('a name with parentheses does not confuse it', async () => {
    const file = path.join(scratch(), 'x) S 1 (y');
    fs.copyFileSync('/bin/sleep', file);
    fs.chmodSync(file, 0o755);
    const child = start(file, ['30']);
    const { pid } = child;
    await expect.poll(() => fs.readFileSync(`/proc/${pid}/comm`, 'utf8')).toContain(')');
    const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    expect(liveness({ ...me, pid: pid!, startTime: fields[19]! })).toBe('alive');
  });
});

function stateOf(pid: number): string | undefined {
  return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
}

describe('a lock file', () => {
  const owner = (other: object) => JSON.stringify({ ...me, token: 'somebody', ...other });
  const tries = (file: string): boolean => {
    const mutex = openMutex(file, 'link');
    const taken = mutex.tryLock() || mutex.tryLock();
    mutex.close();
    return taken;
  };

  test.each<[string, () => string | Promise<string>, boolean]>([
    ['of a dead process', async () => owner({ pid: await deadPid() }), true],
    ['of a process whose pid is another one’s now', () => owner({ startTime: '1' }), true],
    ['from before the boot', () => owner({ bootId: 'before' }), true],
    ['of a living process', () => owner({}), false],
    ['of another host', () => owner({ host: 'elsewhere' }), false],
    [
      'of another host, with a pid that is free here',
      () => owner({ host: 'elsewhere', pid: 2 ** 22 + 1 }),
      false,
    ],
    ['that is empty', () => '', true],
    ['that is zeros', () => '\0'.repeat(120), true],
    ['that is garbage', () => 'hello', false],
    ['that is other JSON', () => '{"pid":1}', false],
    ['whose token leads out of the folder', () => owner({ bootId: 'before', token: '../x' }), false],
  ])('%s: taken over %#', async (_, content, expected) => {
    const dir = scratch();
    const file = path.join(dir, 'store.lock');
    fs.writeFileSync(file, await content());
    const before = read(file);
    expect(tries(file)).toBe(expected);
    expect(fs.readdirSync(dir)).toEqual(expected ? [] : ['store.lock']);
    expect(read(file)).toBe(expected ? undefined : before);
  });

  test('whose burier died on the way is buried all the same', async () => {
    const dir = scratch();
    const file = path.join(dir, 'store.lock');
    const pid = await deadPid();
    fs.writeFileSync(file, owner({ pid, token: 'first' }));
    fs.writeFileSync(`${file}.first`, owner({ pid, token: 'second' }));
    fs.writeFileSync(`${file}.first.second`, owner({ pid, token: 'third' }));
    const mutex = openMutex(file, 'link');
    expect([1, 2, 3, 4].some(() => mutex.tryLock())).toBe(true);
    mutex.close();
    expect(fs.readdirSync(dir)).toEqual([]);
  });

  test('whose burier lives is left to the burier', async () => {
    const file = path.join(scratch(), 'store.lock');
    fs.writeFileSync(file, owner({ pid: await deadPid(), token: 'first' }));
    fs.writeFileSync(`${file}.first`, owner({ token: 'second' }));
    expect(tries(file)).toBe(false);
    fs.rmSync(`${file}.first`);
    expect(tries(file)).toBe(true);
  });

  test('is complete whenever it is there', { timeout: 60_000 }, async () => {
    const file = path.join(scratch(), 'store.lock');
    const counter = path.join(path.dirname(file), 'counter');
    fs.writeFileSync(counter, '00000000');
    const work = { over: false };
    const workers = Array.from({ length: 4 }, () =>
      ended(startNode('locker.mjs', ['link', file, 'count', counter, '100'])),
    );
    void Promise.all(workers).finally(() => (work.over = true));
    const seen = new Set<string>();
    while (!work.over) {
      seen.add(read(file) ?? '');
      await new Promise(setImmediate);
    }
    await Promise.all(workers);
    seen.delete(''); // it was not there
    expect(seen.size).toBeGreaterThan(0);
    for (const text of seen) {
      expect(JSON.parse(text)).toMatchObject({ token: expect.any(String), pid: expect.any(Number) });
    }
    expect(fs.readdirSync(path.dirname(file)).toSorted()).toEqual(['counter', 'counter.log']);
  });

  test('that could not be removed is still ours, and given back later', () => {
    const file = path.join(scratch(), 'store.lock');
    const mutex = openMutex(file, 'link');
    expect(mutex.tryLock()).toBe(true);
    setProbe((moment, call, target) => {
      if (moment === 'before' && call === 'unlink' && target === file) throw new Error('EIO');
    });
    try {
      expect(() => mutex.unlock()).toThrow('EIO');
    } finally {
      setProbe(undefined);
    }
    expect(mutex.tryLock()).toBe(true);
    mutex.unlock();
    expect(fs.existsSync(file)).toBe(false);
  });
});

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8') || 'nothing in it';
  } catch {
    return undefined;
  }
}
