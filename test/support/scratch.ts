import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../src/io/clock.ts';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { newRecord } from '../../src/kinds/queue/format/record.ts';
import type { Layout } from '../../src/layout/layout.ts';
import { execute, type Executed } from '../../src/store/execute.ts';
import { openFileStore } from '../../src/store/file/file-store.ts';
import { placeFor } from '../../src/store/file/place.ts';
import { readWhole } from '../../src/store/file/whole-reader.ts';
import type { FileStore, FileStoreOptions, ListQuery, Store } from '../../src/store/store.ts';
import { waitsIn, type OrderedView, type StoreView } from '../../src/store/view.ts';
import type { Task } from '../../src/task/schema.ts';

/** A folder of its own for one test, gone when the test ends, however it ends. */
export function scratch(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const storeDir = (root: string): string => path.join(root, '.docket', 'queue');
export const storeFile = (root: string, name: string): string => path.join(storeDir(root), name);
export const journalOf = (root: string): string => storeFile(root, 'journal.jsonl');
export const mirrorOf = (root: string): string => path.join(root, '.takt', 'tasks.yaml');

/** Open for writing; closed when the test ends, at the latest. */
export async function openStore(root: string, options: Partial<FileStoreOptions> = {}): Promise<FileStore> {
  const store = await openFileStore({
    root,
    dir: storeDir(root),
    layout: queueLayout,
    projectionLagMs: 0,
    lockWaitMs: 5000,
    ...options,
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= store.close());
  onTestFinished(() => close().catch(() => undefined));
  return { ...store, close };
}

export function lookAt(root: string): StoreView {
  return readNow({ root, dir: storeDir(root), layout: queueLayout }, { removed: true });
}

/** As the next writer of a store will make it, without writing. */
export function readNow(
  store: { root: string; dir: string; layout: Layout; clock?: Clock },
  query: ListQuery = {},
): OrderedView {
  const { tasks, ...notes } = readWhole({ clock: systemClock, ...store, place: placeFor(store) });
  return { ...notes, tasks: tasks.list(query), waits: waitsIn(tasks) };
}

export function add(store: Store, id: string, key?: string): Promise<Executed> {
  return execute(
    store,
    {
      type: 'create',
      id,
      by: 'ann',
      title: `Title of ${id}`,
      spec: { body: `Body of ${id}`, workspace: { kind: 'inplace' } },
      extras: { queue: newRecord({ name: id, taskDir: `.takt/tasks/${id}` }) },
    },
    { now: new Date().toISOString(), ...(key !== undefined && { key }) },
  );
}

/** A transaction of two events. */
export async function addAndBlock(store: Store, id: string): Promise<void> {
  const about = { taskId: id, by: 'ann' };
  const spec = { body: '', workspace: { kind: 'inplace' as const } };
  const extras = { queue: newRecord({ name: id, taskDir: `.takt/tasks/${id}` }) };
  const reason = { kind: 'gate' as const, text: 'waits for Ann', who: 'ann' };
  const outcome = await store.transact({
    events: [
      { ...about, type: 'task.created', data: { title: id, spec, extras } },
      { ...about, type: 'task.blocked', data: { reason } },
    ],
    expect: { [id]: 0 },
  });
  if (outcome.kind !== 'committed') throw new Error(`${id} was not committed: ${outcome.kind}`);
}

/** Status by id: what a test compares. */
export function statuses(tasks: readonly Task[]): Record<string, string> {
  return Object.fromEntries(tasks.map((task) => [task.id, task.status]));
}

/** Every path below a folder with what it is: its mode, and its content's hash or its target. */
export function treeOf(dir: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const name of fs.readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = path.join(dir, name);
    const stat = fs.lstatSync(file);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree[name] = `link ${fs.readlinkSync(file)}`;
    else if (stat.isDirectory()) tree[name] = `folder ${mode}`;
    else tree[name] = `file ${mode} ${hashFile(file)}`;
  }
  return tree;
}

function hashFile(file: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  const fd = fs.openSync(file, 'r');
  try {
    for (let length = fs.readSync(fd, chunk); length > 0; length = fs.readSync(fd, chunk))
      hash.update(chunk.subarray(0, length));
  } finally {
    fs.closeSync(fd);
  }
  return hash.digest('hex');
}
