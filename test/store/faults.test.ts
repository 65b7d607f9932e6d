import fs from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DocketError } from '../../src/errors.ts';
import { setProbe, type Call } from '../../src/io/fault.ts';
import type { LockKind } from '../../src/io/lock.ts';
import type { FileBackend } from '../../src/store/file-backend.ts';
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
  backend: FileBackend | undefined;
}

/** Two commands, a transaction of two events, one that waits for nobody, a compaction and one behind it. */
async function work(root: string, lockKind: LockKind): Promise<Fate> {
  const fate: Fate = { asked: [], promised: [], errors: [], backend: undefined };
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
    fate.backend = await openStore(root, { lockKind, lockWaitMs: 1000 });
  });
  const { backend } = fate;
  if (!backend) return fate;
  await step('one', () => add(backend, 'one'));
  await Promise.all([
    step('two', () => addAndBlock(backend, 'two')),
    step('three', () => add(backend, 'three')),
  ]);
  if (lockKind === 'link') return fate; // what follows is the same with either lock
  await step(undefined, () => backend.compact());
  await step('four', () => add(backend, 'four'));
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
      for (let at = 0; at < points.length; at += 1) await failAt(at, points[at]!, lockKind);
    },
  );
});

async function failAt(at: number, planned: Point, lockKind: LockKind): Promise<void> {
  const root = scratch();
  const name = `point ${at}: ${planned.moment} ${planned.call} ${planned.path}`;
  let seen = 0;
  setProbe(() => {
    seen += 1;
    if (seen === at + 1) throw eio();
  });
  onTestFinished(() => setProbe(undefined));
  const fate = await work(root, lockKind);
  setProbe(undefined);
  for (const error of fate.errors) expect(error, name).toBeInstanceOf(DocketError);

  // Either it goes on or it says that it has stopped.
  const { backend } = fate;
  if (backend) {
    const stopped = fate.errors.some((error) => (error as DocketError).code === 'STORE_STOPPED');
    fate.asked.push('more');
    const more: unknown = await add(backend, 'more').catch((error: unknown) => error);
    if (more instanceof DocketError) expect([stopped, more.code], name).toEqual([true, 'STORE_STOPPED']);
    else fate.promised.push('more');
    await backend
      .close()
      .catch((error: unknown) => expect(error, name).toMatchObject({ code: 'STORE_STOPPED' }));
  }

  const again = await openStore(root, { lockKind, lockWaitMs: 1000 });
  const there = (await again.list({ removed: true })).map(({ id }) => id);
  expect(fate.asked, name).toEqual(expect.arrayContaining(there));
  expect(there, name).toEqual(expect.arrayContaining(fate.promised));
  await add(again, 'last');
  await again.close();
  const shown = lookAt(root);
  expect(shown.findings, name).toEqual([]);
  expect(shown.tasks.map(({ id }) => id).toSorted(), name).toEqual([...there, 'last'].toSorted());
  const text = fs.readFileSync(mirrorOf(root), 'utf8');
  for (const { id } of shown.tasks)
    expect(text, `${name}: ${id} is not in the file`).toContain(`name: ${id}\n`);
  fs.rmSync(root, { recursive: true });
}

describe('a flush that fails', () => {
  test.each(['commit', 'compaction'])('at a %s stops the process from writing', async (when) => {
    const root = scratch();
    const backend = await openStore(root);
    await add(backend, 'one');
    setProbe((moment, call, path) => {
      if (moment === 'before' && call === 'fsync' && path === journalOf(root)) throw eio();
    });
    onTestFinished(() => setProbe(undefined));
    const failing = when === 'commit' ? add(backend, 'two') : backend.compact();
    await expect(failing).rejects.toMatchObject({ code: 'STORE_STOPPED', exitCode: 75 });
    setProbe(undefined); // a second flush would succeed, and say nothing about what the first one lost
    const { size } = fs.statSync(journalOf(root));
    await expect(add(backend, 'three')).rejects.toMatchObject({ code: 'STORE_STOPPED' });
    expect(fs.statSync(journalOf(root)).size).toBe(size);
    await backend.close().catch(() => undefined);

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
  const backend = await openStore(root, { warn: (text) => warnings.push(text) });
  await add(backend, 'one');
  fs.mkdirSync(storeFile(root, 'snapshot.jsonl'));
  await expect(backend.compact()).rejects.toMatchObject({ code: expect.any(String) });
  await add(backend, 'two');
  expect(warnings.join('\n')).toContain('snapshot.jsonl');
  fs.rmdirSync(storeFile(root, 'snapshot.jsonl'));
  await backend.compact();
  await add(backend, 'three');
  await backend.close();
  expect(lookAt(root).tasks.map(({ id }) => id)).toEqual(['one', 'two', 'three']);
});
