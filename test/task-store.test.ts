import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTaskStore, type TaskRecord } from '../src/index.ts';
import { mirrorOf, openStore, scratch, add } from './support/scratch.ts';

const record = (name: string): TaskRecord => ({
  name,
  status: 'pending',
  content: `Do ${name}`,
  created_at: '2026-01-01T00:00:00.000Z',
  started_at: null,
  completed_at: null,
});
const names = ({ tasks }: { tasks: TaskRecord[] }): string[] => tasks.map(({ name }) => name);

describe('the task store of the spec', () => {
  it('adds, changes and takes out records, and keeps the file as people wrote it', async () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.takt'));
    fs.writeFileSync(mirrorOf(root), '# mine\ntasks: []\n');
    const store = openTaskStore(root);
    expect(names(await store.read())).toEqual([]);
    expect(fs.readdirSync(root)).toEqual(['.takt']);
    expect(
      names(await store.update(({ tasks }) => ({ tasks: [...tasks, record('a'), record('b')] }))),
    ).toEqual(['a', 'b']);
    expect(fs.readFileSync(mirrorOf(root), 'utf8')).toMatch(/^# mine\ntasks:\n {2}- name: a\n/);
    const { tasks } = await store.update((current) => {
      for (const one of current.tasks) if (one.name === 'a') one['branch'] = 'x';
      return { ...current, tasks: current.tasks.filter(({ name }) => name !== 'b') };
    });
    expect(tasks).toMatchObject([{ name: 'a', branch: 'x' }]);
    expect(await store.read()).toEqual({ tasks, findings: [] });
    expect(fs.existsSync(`${mirrorOf(root)}.lock`)).toBe(false);
  });

  it('leads a task where its record says', async () => {
    const root = scratch();
    const store = openTaskStore(root);
    const at = '2026-01-02T00:00:00.000Z';
    await store.update(() => ({ tasks: [record('a')] }));
    await store.update((current) => {
      Object.assign(current.tasks[0] as TaskRecord, {
        status: 'completed',
        started_at: at,
        completed_at: at,
      });
    });
    const backend = await openStore(root);
    expect(await backend.list()).toMatchObject([{ status: 'done', finishedAt: at }]);
  });

  it.each<[string, (tasks: TaskRecord[]) => TaskRecord[], string]>([
    [
      'a rule',
      ([a, b]) => [
        { ...a!, branch: 'x' },
        { ...b!, status: 'failed' },
      ],
      'Failed task requires started_at.',
    ],
    ['another time', ([a, b]) => [{ ...a!, created_at: 'x' }, b!], 'created_at cannot be changed'],
    ['an unknown need', (all) => [...all, { ...record('c'), needs: ['nobody'] }], 'no task "nobody"'],
    ['no list', () => 5 as never, 'did not return { tasks: [...] }'],
    ['no record', () => ['x'] as never, 'is no record'],
  ])('changes nothing when the result breaks %s', async (_what, mutator, message) => {
    const root = scratch();
    const store = openTaskStore(root);
    const before = await store.update(() => ({ tasks: [record('a'), record('b')] }));
    const update = store.update(({ tasks }) => ({ tasks: mutator(tasks) }));
    await expect(update).rejects.toMatchObject({ message: expect.stringContaining(message) });
    expect(await store.read()).toEqual(before);
  });

  it('hands on what the mutator throws, and does not take out what runs', async () => {
    const root = scratch();
    const store = openTaskStore(root);
    await store.update(() => ({ tasks: [record('a')] }));
    const mine = new Error('mine');
    await expect(
      store.update(() => {
        throw mine;
      }),
    ).rejects.toBe(mine);
    const backend = await openStore(root);
    expect(await backend.claim({ owner: 'me', max: 1 })).toHaveLength(1);
    await expect(store.update(() => ({ tasks: [] }))).rejects.toThrow('a is running');
  });

  it('does not mix up records of one name', async () => {
    const root = scratch();
    const store = openTaskStore(root);
    const second = { ...record('a'), created_at: '2026-01-05T00:00:00.000Z' };
    await store.update(() => ({ tasks: [record('a'), second] }));
    await store.update(({ tasks: all }) => ({
      tasks: all.filter(({ created_at: at }) => at === second.created_at),
    }));
    const { tasks } = await store.update(({ tasks: all }) => ({
      tasks: [...all, { ...record('a'), created_at: '2026-02-01T00:00:00.000Z' }],
    }));
    expect(tasks.map(({ created_at: at }) => at)).toEqual([second.created_at, '2026-02-01T00:00:00.000Z']);
  });

  it('keeps everybody else out while its lock is held, and refuses to be called from inside', async () => {
    const root = scratch();
    const store = openTaskStore(root, { lockWaitMs: 200 });
    const reentrant = { message: 'TaskStore: reentrant lock detected' };
    await store.withLock(async () => {
      expect(fs.readFileSync(`${mirrorOf(root)}.lock`, 'utf8')).toBe(String(process.pid));
      await expect(openStore(root, { lockWaitMs: 50 })).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
      await expect(store.update(() => ({ tasks: [] }))).rejects.toMatchObject(reentrant);
      await expect(openTaskStore(root).withLock(() => 1)).rejects.toMatchObject(reentrant);
      expect(names(await store.read())).toEqual([]);
    });
    const nested: Promise<unknown>[] = [];
    await store.update((current) => {
      nested.push(store.update((all) => all).catch((error: unknown) => error));
      return current;
    });
    expect(await nested[0]).toMatchObject(reentrant);
    expect(fs.existsSync(`${mirrorOf(root)}.lock`)).toBe(false);
    await expect(store.withLock(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(await Promise.all([store.withLock(() => 1), store.withLock(() => 2)])).toEqual([1, 2]);
    const backend = await openStore(root);
    expect((await add(backend, 'after')).ok).toBe(true);
  });

  it('says whose lock it could not get', async () => {
    const root = scratch();
    const store = openTaskStore(root, { lockWaitMs: 60 });
    await store.update((current) => current);
    fs.mkdirSync(path.join(root, '.takt'), { recursive: true });
    fs.writeFileSync(`${mirrorOf(root)}.lock`, String(process.ppid));
    await expect(store.withLock(() => 1)).rejects.toMatchObject({
      message: `TaskStore: timed out waiting for lock: ${mirrorOf(root)}.lock`,
      fix: expect.stringContaining(String(process.ppid)),
    });
  });
});
