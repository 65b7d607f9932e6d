import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import type { FileStore } from '../../src/store/store.ts';
import { create, finish, later, run } from '../conformance/support.ts';
import { lookAt, mirrorOf, openStore, scratch, storeFile } from '../support/scratch.ts';

const read = (root: string): string => fs.readFileSync(mirrorOf(root), 'utf8');
const refs = (root: string): string[] => queueLayout.split(read(root)).entries.map(({ ref }) => ref);
const entryOf = (root: string, name: string): string =>
  queueLayout.split(read(root)).entries.find(({ ref }) => ref === name)?.text ?? '';

/** An editor writes a new file and puts it in the place of the old one, or writes into the old one. */
const saves: Record<string, (file: string, text: string) => void> = {
  rename: (file, text) => {
    fs.writeFileSync(`${file}.new`, text);
    fs.renameSync(`${file}.new`, file);
  },
  'in place': (file, text) => fs.writeFileSync(file, text),
};
const save = (root: string, text: string): void => saves['in place']?.(mirrorOf(root), text);

async function opened(root: string): Promise<{ store: FileStore; warnings: string[] }> {
  const warnings: string[] = [];
  const store = await openStore(root, { settleMs: 0, warn: (warning) => warnings.push(warning) });
  return { store, warnings };
}

async function withTasks(root: string, ...ids: string[]) {
  const { store, warnings } = await opened(root);
  for (const id of ids) await create(store, id);
  return { store, warnings };
}

async function statuses(store: FileStore): Promise<Record<string, string>> {
  const tasks = await store.list({ removed: true });
  return Object.fromEntries(
    tasks.map(({ id, status, removedAt }) => [id, removedAt === undefined ? status : 'removed']),
  );
}

describe('a save of a copy that is older than a task', () => {
  it.each(Object.keys(saves))('puts the task back, by %s, and says so', async (how) => {
    const root = scratch();
    const { store, warnings } = await withTasks(root, 'a', 'b', 'c');
    const buffer = read(root);
    await create(store, 'd');
    saves[how]?.(mirrorOf(root), `${buffer}# a remark\n`);
    expect(lookAt(root).findings).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('without task d'),
        next: ['queue', 'confirm-removals'],
      },
    ]);
    expect(await store.doctor()).toHaveLength(1);
    expect(await statuses(store)).toEqual({ a: 'queued', b: 'queued', c: 'queued', d: 'queued' });
    expect(refs(root)).toEqual(['a', 'b', 'c', 'd']);
    expect(read(root)).toContain('# a remark\n');
    expect(warnings).toEqual([expect.stringContaining('without task d')]);
    // The editor still has its old copy: it is the same again, and once is enough to say it.
    saves[how]?.(mirrorOf(root), `${buffer}# a remark\n# another\n`);
    await store.doctor();
    expect(await statuses(store)).toMatchObject({ d: 'queued' });
    expect(refs(root)).toEqual(['a', 'b', 'c', 'd']);
    expect(warnings).toHaveLength(1);
  });

  it('says so as well where the copy was not changed at all', async () => {
    const root = scratch();
    const { store } = await withTasks(root, 'a', 'b');
    const buffer = read(root);
    await create(store, 'c');
    save(root, buffer);
    expect(await store.doctor()).toMatchObject([{ message: expect.stringContaining('without task c') }]);
    expect(refs(root)).toEqual(['a', 'b', 'c']);
  });

  it('knows it hours and many writes later, in another process', async () => {
    const root = scratch();
    const { store } = await withTasks(root, 'a', 'b');
    const buffer = read(root);
    for (let n = 0; n < 40; n += 1) await create(store, `n${n}`);
    for (let n = 0; n < 20; n += 1) await finish(store, `n${n}`);
    await finish(store, 'a');
    const before = await statuses(store);
    await store.close();
    save(root, buffer.replace('Task b', 'Another title'));
    const again = (await opened(root)).store;
    await again.doctor();
    expect(await statuses(again)).toEqual(before);
    expect(await again.get('b')).toMatchObject({ title: 'Another title' });
    expect(refs(root)).toHaveLength(42);
  });

  it('takes no old status for an edit: done work does not run again, running work goes on', async () => {
    const root = scratch();
    const { store } = await withTasks(root, 'a', 'b', 'c');
    const buffer = read(root);
    await finish(store, 'a');
    await run(store, { type: 'start', id: 'b', owner: 'w', lease: later });
    save(root, buffer.replace('Task c', 'Another title').replace('Task b', 'Retitled'));
    await store.doctor();
    expect(await statuses(store)).toEqual({ a: 'done', b: 'running', c: 'queued' });
    expect(await store.get('b')).toMatchObject({ title: 'Retitled' });
    expect(await store.get('c')).toMatchObject({ title: 'Another title' });
    expect(entryOf(root, 'a')).toContain('status: completed');
    expect(entryOf(root, 'b')).toContain('status: running');
  });

  it('takes an entry out again that docket removed meanwhile', async () => {
    const root = scratch();
    const { store } = await withTasks(root, 'a', 'b', 'c');
    const buffer = read(root);
    await run(store, { type: 'cancel', id: 'b', reason: 'not wanted' });
    await run(store, { type: 'remove', id: 'b', reason: 'not wanted' });
    save(root, `${buffer}# a remark\n`);
    expect(await store.doctor()).toEqual([]);
    expect(await statuses(store)).toMatchObject({ b: 'removed' });
    expect(refs(root)).toEqual(['a', 'c']);
  });

  it('still removes what the person took out of the old copy', async () => {
    const root = scratch();
    const { store, warnings } = await withTasks(root, 'a', 'b', 'c');
    const buffer = read(root);
    const entry = entryOf(root, 'b');
    await create(store, 'd');
    save(root, buffer.replace(entry, ''));
    expect(await store.doctor()).toMatchObject([{ message: expect.stringContaining('without task d') }]);
    expect(await statuses(store)).toEqual({ a: 'queued', b: 'removed', c: 'queued', d: 'queued' });
    expect(warnings.join('\n')).toContain('docket restore b');
  });

  it('needs no history: without it a task that docket added is put back', async () => {
    const root = scratch();
    const { store } = await withTasks(root, 'a', 'b', 'c');
    await store.close();
    fs.rmSync(storeFile(root, 'versions.jsonl'));
    save(root, read(root).replace(entryOf(root, 'b'), ''));
    const again = (await opened(root)).store;
    expect(await again.doctor()).toMatchObject([{ message: expect.stringContaining('without task b') }]);
    expect(refs(root)).toEqual(['a', 'b', 'c']);
  });

  it('believes no line of a write that never happened', async () => {
    const root = scratch();
    const { store } = await withTasks(root, 'a', 'b', 'c');
    await store.close();
    const file = storeFile(root, 'versions.jsonl');
    const last = fs.readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    const lost = { ...(JSON.parse(last) as { to: string }), to: 'gone', before: [['a', null]] };
    fs.appendFileSync(
      file,
      `${JSON.stringify({ ...lost, from: (JSON.parse(last) as { to: string }).to })}\n{"torn`,
    );
    const again = (await opened(root)).store;
    await create(again, 'd');
    save(root, read(root).replace(entryOf(root, 'a'), ''));
    expect(await again.doctor()).toEqual([]);
    expect(await statuses(again)).toMatchObject({ a: 'removed' });
  });
});

describe('a person who takes entries out of the newest version', () => {
  it('has what they want, also of a record that they wrote themselves', async () => {
    const root = scratch();
    const { store } = await withTasks(root, 'a', 'b', 'c');
    await run(store, { type: 'start', id: 'a', owner: 'w', lease: later });
    save(root, read(root).replace(entryOf(root, 'c'), ''));
    expect(await store.doctor()).toEqual([]);
    expect(await statuses(store)).toEqual({ a: 'running', b: 'queued', c: 'removed' });
    const mine = entryOf(root, 'b').replace('name: b', 'name: mine').replace('Task b', 'Mine');
    const without = read(root);
    save(root, without + mine);
    await store.doctor();
    expect(refs(root)).toEqual(['a', 'b', 'mine']);
    save(root, `${without}# not now\n`);
    expect(await store.doctor()).toEqual([]);
    expect(refs(root)).toEqual(['a', 'b']);
  });

  it.each([
    ['four of six', 4, 6],
    ['all', 3, 3],
  ])('must confirm %s of them, and nothing of it starts before', async (_, count, all) => {
    const root = scratch();
    const ids = Array.from({ length: all }, (__, n) => `t${n}`);
    const { store } = await withTasks(root, ...ids);
    for (const id of ids) await run(store, { type: 'edit', id, set: { title: `Title of ${id}` } });
    const whole = read(root).replace('name: t1\n', 'name: t1 # do this well\n');
    save(root, whole);
    await store.doctor();
    const gone = ids.slice(0, count);
    const left = gone.reduce((text, id) => text.replace(entryOf(root, id), ''), read(root));
    save(root, count === all ? 'tasks: []\n' : left);
    expect(await store.doctor()).toMatchObject([{ severity: 'error', next: ['queue', 'confirm-removals'] }]);
    expect(Object.values(await statuses(store))).toEqual(ids.map(() => 'queued'));
    // With its remarks, and where it was.
    expect(read(root)).toBe(whole);
    const claims = await store.claim({ owner: 'w', max: 10 });
    expect(claims.map(({ task }) => task.id)).toEqual(ids.slice(count));
    await store.close();

    const again = (await opened(root)).store;
    expect(await again.doctor()).toHaveLength(1);
    const answered = await again.answerRemovals(true, 'ann');
    expect(answered).toEqual(gone.map((id) => ({ id, name: id })));
    expect(await again.doctor()).toEqual([]);
    expect(lookAt(root).findings).toEqual([]);
    expect(refs(root)).toEqual(ids.slice(count));
    expect(await again.get('t0')).toMatchObject({ status: 'canceled', removedAt: expect.any(String) });
  });

  it('keeps them with one command, and they start', async () => {
    const root = scratch();
    const { store } = await withTasks(root, 'a', 'b');
    save(root, 'tasks: []\n');
    expect(await store.claim({ owner: 'w', max: 1 })).toEqual([]);
    expect(await store.answerRemovals(false, 'ann')).toHaveLength(2);
    expect(await store.doctor()).toEqual([]);
    expect(lookAt(root).findings).toEqual([]);
    expect(await store.claim({ owner: 'w', max: 1 })).toHaveLength(1);
    expect(await store.answerRemovals(true, 'ann')).toEqual([]);
  });

  it('gets back finished tasks behind which the file was cut at the border of an entry', async () => {
    const root = scratch();
    const ids = ['t1', 't2', 't3', 't4', 't5', 't6'];
    const { store } = await withTasks(root, ...ids);
    for (const id of ids) await finish(store, id);
    const whole = read(root);
    save(root, whole.slice(0, whole.indexOf('  - name: t4')));
    expect(await store.doctor()).toMatchObject([{ message: expect.stringContaining('t4, t5, t6') }]);
    expect(Object.values(await statuses(store))).toEqual(ids.map(() => 'done'));
    expect(read(root)).toBe(whole);
  });
});
