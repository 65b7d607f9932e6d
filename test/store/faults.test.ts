import fs from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DocketError } from '../../src/errors.ts';
import { setProbe, type Call } from '../../src/io/fault.ts';
import type { LockKind } from '../../src/io/lock.ts';
import type { FileStore } from '../../src/store/store.ts';
import {
  add,
  addAndBlock,
  journalOf,
  lookAt,
  mirrorOf,
  openStore,
  scratch,
  storeFile,
} from '../support/scratch.ts';

interface Point {
  moment: 'before' | 'after';
  call: Call;
  path: string;
}

const eio = () => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });

/** What a workload was promised, and what it asked for. */
interface Fate {
  asked: string[];
  promised: string[];
  errors: unknown[];
  store: FileStore | undefined;
}

/** Two commands, a transaction of two events, one that waits for nobody, a compaction and one behind it. */
async function work(root: string, lockKind: LockKind): Promise<Fate> {
  const fate: Fate = { asked: [], promised: [], errors: [], store: undefined };
  const step = async (id: string | undefined, run: () => Promise<unknown>): Promise<void> => {
    if (id !== undefined) fate.asked.push(id);
    try {
      await run();
      if (id !== undefined) fate.promised.push(id);
    } catch (error) {
      fate.errors.push(error);
    }
  };
  await step(undefined, async () => {
    fate.store = await openStore(root, { lockKind, lockWaitMs: 1000 });
  });
  const { store } = fate;
  if (!store) return fate;
  await step('one', () => add(store, 'one'));
  await Promise.all([step('two', () => addAndBlock(store, 'two')), step('three', () => add(store, 'three'))]);
  if (lockKind === 'link') return fate; // what follows is the same with either lock
  await step(undefined, () => store.compact());
  await step('four', () => add(store, 'four'));
  return fate;
}

async function pointsOf(lockKind: LockKind): Promise<Point[]> {
  const root = scratch();
  const points: Point[] = [];
  setProbe((moment, call, path) => points.push({ moment, call, path: path.slice(root.length + 1) }));
  try {
    const fate = await work(root, lockKind);
    expect(fate.errors).toEqual([]);
  } finally {
    setProbe(undefined);
  }
  return points;
}

describe.each<LockKind>(['kernel', 'link'])('with a %s lock', (lockKind) => {
  test(
    'any one call that fails costs at most the command that it belongs to',
    { timeout: 240_000 },
    async () => {
      const points = await pointsOf(lockKind);
      expect(points.length).toBeGreaterThan(100);
      const problems: string[] = [];
      for (const [at, point] of points.entries()) problems.push(...(await failAt(at, point, lockKind)));
      expect(problems).toEqual([]);
    },
  );
});

/** What went wrong beyond the command that failed: nothing, it should be. */
async function failAt(at: number, planned: Point, lockKind: LockKind): Promise<string[]> {
  const root = scratch();
  const problems: string[] = [];
  const check = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(`point ${at}, ${planned.moment} ${planned.call} ${planned.path}: ${problem}`);
  };
  let seen = 0;
  setProbe(() => {
    seen += 1;
    if (seen === at + 1) throw eio();
  });
  onTestFinished(() => setProbe(undefined));
  const fate = await work(root, lockKind);
  setProbe(undefined);
  for (const error of fate.errors)
    check(error instanceof DocketError, `not one of our errors: ${String(error)}`);

  // Either it goes on or it says that it has stopped.
  const { store } = fate;
  if (store) {
    const stopped = fate.errors.some((error) => codeOf(error) === 'STORE_STOPPED');
    fate.asked.push('more');
    const more = await add(store, 'more').catch(codeOf);
    if (typeof more === 'object') fate.promised.push('more');
    else check(stopped && more === 'STORE_STOPPED', `the next command failed with ${more}`);
    const closed = await store.close().catch(codeOf);
    check(closed === undefined || closed === 'STORE_STOPPED', `closing failed with ${closed ?? ''}`);
  }

  const again = await openStore(root, { lockKind, lockWaitMs: 1000 });
  const there = (await again.list({ removed: true })).map(({ id }) => id);
  check(
    there.every((id) => fate.asked.includes(id)),
    `${there.join()} are there, asked for ${fate.asked.join()}`,
  );
  check(
    fate.promised.every((id) => there.includes(id)),
    `${there.join()} are there, promised ${fate.promised.join()}`,
  );
  await add(again, 'last');
  await again.close();
  const shown = lookAt(root);
  const ids = shown.tasks.map(({ id }) => id);
  check(shown.findings.length === 0, 'the file has errors');
  check(ids.toSorted().join() === [...there, 'last'].toSorted().join(), `${ids.join()} are read`);
  const text = fs.readFileSync(mirrorOf(root), 'utf8');
  for (const id of ids) check(text.includes(`name: ${id}\n`), `${id} is not in the file`);
  fs.rmSync(root, { recursive: true });
  return problems;
}

function codeOf(error: unknown): string {
  return error instanceof DocketError ? error.code : String(error);
}

describe('a flush that fails', () => {
  test.each(['commit', 'compaction'])('at a %s stops the process from writing', async (when) => {
    const root = scratch();
    const store = await openStore(root);
    await add(store, 'one');
    setProbe((moment, call, path) => {
      if (moment === 'before' && call === 'fsync' && path === journalOf(root)) throw eio();
    });
    onTestFinished(() => setProbe(undefined));
    const failing = when === 'commit' ? add(store, 'two') : store.compact();
    await expect(failing).rejects.toMatchObject({ code: 'STORE_STOPPED', exitCode: 75 });
    setProbe(undefined); // a second flush would succeed, and say nothing about what the first one lost
    const { size } = fs.statSync(journalOf(root));
    await expect(add(store, 'three')).rejects.toMatchObject({ code: 'STORE_STOPPED' });
    expect(fs.statSync(journalOf(root)).size).toBe(size);
    await store.close().catch(() => undefined);

    const again = await openStore(root);
    await add(again, 'four');
    const ids = (await again.list()).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['one', 'four']));
    expect(ids).not.toContain('three');
    await again.close();
  });
});

test('a snapshot that cannot be written fails no command', async () => {
  const root = scratch();
  const warnings: string[] = [];
  const store = await openStore(root, { warn: (text) => warnings.push(text) });
  await add(store, 'one');
  fs.mkdirSync(storeFile(root, 'snapshot.jsonl'));
  await expect(store.compact()).rejects.toMatchObject({ code: expect.any(String) });
  await add(store, 'two');
  expect(warnings.join('\n')).toContain('snapshot.jsonl');
  fs.rmdirSync(storeFile(root, 'snapshot.jsonl'));
  await store.compact();
  await add(store, 'three');
  await store.close();
  expect(lookAt(root).tasks.map(({ id }) => id)).toEqual(['one', 'two', 'three']);
});
