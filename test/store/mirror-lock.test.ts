import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import type { FileStoreOptions, FileStore } from '../../src/store/store.ts';
import { add, lookAt, mirrorOf, openStore, scratch, statuses, storeFile } from '../support/scratch.ts';

const lockOf = (root: string): string => `${mirrorOf(root)}.lock`;
const read = (root: string): string => fs.readFileSync(mirrorOf(root), 'utf8');
const open = (root: string, more: Partial<FileStoreOptions> = {}): Promise<FileStore> =>
  openStore(root, { settleMs: 0, lockWaitMs: 300, ...more });

/** A process that does nothing, for its pid. */
function sleeper(): number {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child.pid as number;
}

async function deadPid(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid as number;
}

async function oneTask(root: string): Promise<void> {
  const store = await open(root);
  await add(store, 'a');
  await store.close();
}

function hold(root: string, content: string, ageSeconds = 0): void {
  fs.writeFileSync(lockOf(root), content);
  const at = Date.now() / 1000 - ageSeconds;
  fs.utimesSync(lockOf(root), at, at);
}

it('has the lock while it writes, with its pid in it, and not longer', async () => {
  const root = scratch();
  const seen: string[] = [];
  fs.mkdirSync(`${root}/.takt`);
  const watcher = fs.watch(`${root}/.takt`, (_, name) => name === 'tasks.yaml.lock' && seen.push(name));
  onTestFinished(() => watcher.close());
  await oneTask(root);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(seen.length).toBeGreaterThan(0);
  expect(fs.existsSync(lockOf(root))).toBe(false);
  expect(fs.readdirSync(`${root}/.takt`).toSorted()).toEqual(['tasks', 'tasks.yaml']);
});

it.each([
  ['a dead process', async () => String(await deadPid()), 0],
  ['nobody knows who, long ago', async () => 'garbage', 31],
  ['nothing, long ago', async () => '', 31],
  ['a live process, long ago', async () => String(sleeper()), 31],
])('goes over a lock of %s', async (_who, content, age) => {
  const root = scratch();
  await oneTask(root);
  hold(root, await content(), age);
  const store = await open(root);
  await add(store, 'b');
  expect(read(root)).toContain('name: b');
  await store.close();
  expect(fs.existsSync(lockOf(root))).toBe(false);
});

it.each([
  ['a live process', () => String(sleeper())],
  ['nobody knows who', () => 'garbage'],
])('commits at once, waits a little with the file for %s, and writes it later', async (_who, content) => {
  const root = scratch();
  await oneTask(root);
  hold(root, content());
  const before = read(root);
  const warnings: string[] = [];
  const store = await open(root, { warn: (text) => warnings.push(text) });
  expect((await add(store, 'b')).ok).toBe(true);
  await store.close();
  expect(read(root)).toBe(before);
  expect(warnings).toEqual([expect.stringContaining('tasks.yaml.lock')]);
  expect(statuses(lookAt(root).tasks)).toEqual({ a: 'queued', b: 'queued' });
  expect(fs.readFileSync(lockOf(root), 'utf8')).not.toBe('');
  fs.rmSync(lockOf(root));
  await (await open(root)).close();
  expect(read(root)).toContain('name: b');
  expect(statuses(lookAt(root).tasks)).toEqual({ a: 'queued', b: 'queued' });
});

it('writes the file by itself as soon as the lock is free', async () => {
  const root = scratch();
  await oneTask(root);
  hold(root, String(sleeper()));
  const store = await open(root, { lockWaitMs: 5000 });
  await add(store, 'b');
  expect(read(root)).not.toContain('name: b');
  fs.rmSync(lockOf(root));
  await expect.poll(() => read(root), { timeout: 5000 }).toContain('name: b');
});

it('loses nothing to a tool that slept inside the lock and wakes up later', async () => {
  const root = scratch();
  await oneTask(root);
  const asleep = read(root); // what the other tool has read
  const store = await open(root);
  hold(root, String(sleeper()), 31);
  await add(store, 'b');
  expect(read(root)).toContain('name: b');
  expect(fs.existsSync(storeFile(root, 'overtaken.json'))).toBe(true);
  const claims = await store.claim({ owner: 'me', max: 1, only: ['a'] });
  expect(claims).toHaveLength(1);
  // It writes what it read, in a style of its own, with a task of its own.
  const own =
    'status: pending\n  content: x\n  created_at: 2026-01-01\n  started_at: null\n  completed_at: null';
  const woken = `${asleep.replaceAll(/^ {2}/gm, '').replaceAll(/: "(.*)"$/gm, ": '$1'")}- name: theirs\n  ${own}\n`;
  fs.writeFileSync(mirrorOf(root), woken);
  expect(lookAt(root).tasks.map(({ title, status }) => [title, status])).toEqual(
    expect.arrayContaining([
      ['Title of a', 'running'],
      ['Title of b', 'queued'],
      ['x', 'queued'],
    ]),
  );
  await store.doctor();
  expect(await store.get('a')).toMatchObject({ status: 'running' });
  expect(await store.get('b')).toMatchObject({ status: 'queued' });
  expect(read(root)).toContain('name: b');
  expect(read(root)).toContain('name: theirs');
  expect(read(root)).toContain('status: running');
  expect(fs.existsSync(storeFile(root, 'overtaken.json'))).toBe(false);
  // What somebody does from now on is an edit again.
  fs.writeFileSync(mirrorOf(root), read(root).replace(/ *- name: b\n(?:(?! *- ).*\n)*/, ''));
  await store.doctor();
  expect(await store.get('b')).toMatchObject({ status: 'canceled' });
});
