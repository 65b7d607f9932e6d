import fs from 'node:fs';
import { expect, it } from 'vitest';
import type { FileStore, Store } from '../../src/store/store.ts';
import type { Event } from '../../src/task/schema.ts';
import { byId, create, eventsAfter, finish, later, run } from '../conformance/support.ts';
import { lookAt, mirrorOf, openStore, scratch, storeFile } from '../support/scratch.ts';

/** Nobody else edits in these tests, so that there is nothing to wait for. */
const open = (root: string): Promise<FileStore> => openStore(root, { settleMs: 0 });
const read = (root: string): string => fs.readFileSync(mirrorOf(root), 'utf8');
const write = (root: string, text: string): void => fs.writeFileSync(mirrorOf(root), text);
const edit = (root: string, from: string | RegExp, to: string): void => {
  const text = read(root);
  const next = text.replace(from, to);
  expect(next, 'the edit has found nothing').not.toBe(text);
  write(root, next);
};

/** The entry of a task, with the line end. */
const entryOf = (root: string, name: string): string =>
  new RegExp(`^ *- name: ${name}\\n(?:(?! *- ).*\\n)*`, 'm').exec(read(root))?.[0] ?? '';

/** A round in which nothing is wanted: what people did is taken in, and the files are written. */
async function look(backend: FileStore): Promise<void> {
  await backend.doctor();
}

async function eventsOf(backend: Store): Promise<Event[]> {
  const tasks = await backend.list({ removed: true });
  return eventsAfter(backend, 0, Math.max(0, ...tasks.map(({ rev }) => rev)));
}

async function threeTasks(root: string): Promise<FileStore> {
  const backend = await open(root);
  for (const id of ['a', 'b', 'c']) await create(backend, id);
  return backend;
}

const newEntry = `  - name: by-hand
    status: pending
    content: Written by a person.
    created_at: '2026-03-01T09:00:00.000Z'
    started_at: null
    completed_at: null
`;

it('gives a task its life back when its entry is put back, as after a git checkout', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  const before = read(root);
  const was = await backend.get('b');
  write(root, before.replace(entryOf(root, 'b'), ''));
  await look(backend);
  expect((await backend.list()).map(({ id }) => id)).toEqual(['a', 'c']);
  write(root, before.replace('tasks:', '# back again\ntasks:'));
  expect(lookAt(root).tasks).toHaveLength(3);
  await look(backend);
  expect(await backend.get('b')).toMatchObject({
    status: 'queued',
    title: was?.title,
    createdAt: was?.createdAt,
  });
  expect(await backend.list()).toHaveLength(3);
  expect(read(root)).toContain('# back again');
  await backend.close();
});

it('takes in an entry that a person wrote, open or closed', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  write(root, read(root) + newEntry);
  expect(lookAt(root).tasks).toHaveLength(4);
  await look(backend);
  const made = (await backend.list()).find(({ title }) => title === 'Written by a person.');
  expect(made).toMatchObject({ status: 'queued', createdBy: 'file', createdAt: '2026-03-01T09:00:00.000Z' });
  await backend.close();
  write(root, read(root) + newEntry.replace('by-hand', 'by-night').replace('a person', 'an owl'));
  const again = await open(root);
  expect((await again.list()).map(({ title }) => title)).toContain('Written by an owl.');
  expect((await eventsOf(again)).filter(({ by }) => by === 'file')).toHaveLength(2);
  expect(entryOf(root, 'by-hand')).toBe(newEntry);
});

it('takes in a changed title and a changed status', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  edit(root, 'summary: Task a', 'summary: Another title');
  const failed = `status: failed\n    failure: { error: it broke }`;
  const entry = entryOf(root, 'b').replace('status: pending', failed);
  const at = "'2026-03-01T10:00:00.000Z'";
  edit(
    root,
    entryOf(root, 'b'),
    entry
      .replace('started_at: null', `started_at: ${at}`)
      .replace('completed_at: null', `completed_at: ${at}`),
  );
  await look(backend);
  expect(await backend.doctor()).toEqual([]);
  expect(await backend.get('a')).toMatchObject({ title: 'Another title', status: 'queued' });
  expect(await backend.get('b')).toMatchObject({ status: 'failed', failure: { error: 'it broke' } });
  edit(root, /status: failed\n *failure: .*\n/, 'status: pending\n');
  edit(
    root,
    entryOf(root, 'b'),
    entryOf(root, 'b').replaceAll(/(started_at|completed_at): '?2.*/g, '$1: null'),
  );
  await look(backend);
  expect(await backend.get('b')).toMatchObject({ status: 'queued' });
  const byFile = (await eventsOf(backend)).filter(({ by }) => by === 'file').map(({ type }) => type);
  expect(byFile.filter((type) => type !== 'task.edited')).toEqual(['task.failed', 'task.requeued']);
});

it('cancels and removes what waits when its entry is deleted', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  edit(root, entryOf(root, 'b'), '');
  await look(backend);
  expect(await backend.get('b')).toMatchObject({ status: 'canceled', removedAt: expect.any(String) });
  expect((await backend.list()).map(({ id }) => id)).toEqual(['a', 'c']);
  expect((await eventsOf(backend)).slice(3)).toMatchObject([
    { type: 'task.canceled', taskId: 'b', by: 'file' },
    { type: 'task.removed', taskId: 'b', by: 'file' },
  ]);
  expect(entryOf(root, 'b')).toBe('');
});

it('removes what is over when its entry is deleted, and puts back what is running', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  await finish(backend, 'a');
  await run(backend, { type: 'start', id: 'b', owner: 'w', lease: later });
  const running = entryOf(root, 'b');
  edit(root, entryOf(root, 'a'), '');
  edit(root, running, '');
  const events = (await eventsOf(backend)).length;
  await look(backend);
  expect(await backend.get('a')).toMatchObject({ status: 'done', removedAt: expect.any(String) });
  expect(await backend.get('b')).toMatchObject({ status: 'running' });
  expect(entryOf(root, 'b')).toBe(running);
  expect((await eventsOf(backend)).slice(events)).toMatchObject([{ type: 'task.removed', taskId: 'a' }]);
});

it('holds a broken entry, says where it is, and lets its neighbours work', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  const broken = entryOf(root, 'b').replace('status: pending', 'status: perhaps');
  edit(root, entryOf(root, 'b'), broken);
  edit(root, 'summary: Task c', 'summary: Changed beside it');
  const line = read(root).split('\n').indexOf('    status: perhaps') + 1;
  expect(await backend.doctor()).toMatchObject([
    { path: mirrorOf(root), line, message: expect.stringContaining('status') },
  ]);
  expect(lookAt(root).findings).toMatchObject([{ line }]);
  expect(await backend.get('c')).toMatchObject({ title: 'Changed beside it' });
  await run(backend, { type: 'edit', id: 'a', set: { title: 'By a command' } });
  await run(backend, { type: 'edit', id: 'b', set: { title: 'Behind the broken entry' } });
  expect(entryOf(root, 'a')).toContain('By a command');
  expect(entryOf(root, 'b')).toBe(broken);
  expect(await backend.get('b')).toMatchObject({ status: 'queued' });
  await backend.close();

  const again = await open(root);
  expect(await again.doctor()).toHaveLength(1);
  edit(root, 'status: perhaps', 'status: pending');
  expect(await again.doctor()).toEqual([]);
  expect(lookAt(root).findings).toEqual([]);
  expect(await again.get('b')).toMatchObject({ title: 'Behind the broken entry', status: 'queued' });
  expect(entryOf(root, 'b')).toContain('Behind the broken entry');
  expect((await eventsOf(again)).filter(({ by }) => by === 'file')).toHaveLength(1);
});

it('cancels nothing because an entry is broken so that nobody knows whose it is', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  const whole = entryOf(root, 'b');
  edit(root, '- name: b\n    ', '- ');
  expect((await backend.doctor()).map(({ message }) => message)).toEqual([
    expect.stringContaining('name'),
    expect.stringContaining('the entry "b" is gone, unless'),
  ]);
  await run(backend, { type: 'edit', id: 'b', set: { needs: ['a'] } });
  expect(await backend.get('b')).toMatchObject({ status: 'queued' });
  expect(entryOf(root, 'b')).toBe('');
  edit(root, whole.replace('- name: b\n    ', '- '), whole);
  expect(await backend.doctor()).toEqual([]);
  expect((await backend.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(entryOf(root, 'b')).toBe(whole);
  expect((await eventsOf(backend)).filter(({ by }) => by === 'file')).toEqual([]);
  edit(root, '- name: b\n    ', '- ');
  await look(backend);
  edit(root, whole.replace('- name: b\n    ', '- '), '');
  expect(await backend.doctor()).toEqual([]);
  expect(await backend.get('b')).toMatchObject({ status: 'canceled' });
});

it('writes a mirror again in which an entry was broken', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  edit(root, entryOf(root, 'b'), entryOf(root, 'b').replace('status: pending', 'status: perhaps'));
  expect(await backend.doctor()).toHaveLength(1);
  await run(backend, { type: 'edit', id: 'b', set: { title: 'Behind the broken entry' } });
  fs.rmSync(mirrorOf(root));
  expect(await backend.doctor()).toEqual([]);
  expect(entryOf(root, 'b')).toContain('status: pending');
  expect(entryOf(root, 'b')).toContain('Behind the broken entry');
  await look(backend);
  expect((await eventsOf(backend)).filter(({ by }) => by === 'file')).toEqual([]);
});

it.each(['deleted', 'emptied', 'filled with zeros'])('writes a mirror again that was %s', async (damage) => {
  const root = scratch();
  const backend = await threeTasks(root);
  write(root, `# A person's remark.\n${read(root)}`);
  await run(backend, { type: 'edit', id: 'c', set: { title: 'Later' } });
  const whole = read(root);
  const before = byId(await backend.list({ removed: true }));
  for (const opened of [backend, undefined]) {
    if (damage === 'deleted') fs.rmSync(mirrorOf(root));
    else write(root, damage === 'emptied' ? '' : '\0'.repeat(4096));
    expect(byId(lookAt(root).tasks)).toEqual(before);
    const store = opened ?? (await open(root));
    await look(store);
    expect(read(root)).toBe(whole);
    expect(byId(await store.list({ removed: true }))).toEqual(before);
    await store.close();
  }
});

it('writes the mirror again where an earlier version of it was put back', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  const earlier = read(root);
  await run(backend, { type: 'start', id: 'a', owner: 'w', lease: later });
  await run(backend, { type: 'edit', id: 'b', set: { title: 'Newer' } });
  await create(backend, 'd');
  const newest = read(root);
  const events = (await eventsOf(backend)).length;
  write(root, earlier);
  await look(backend);
  expect(read(root)).toBe(newest);
  await backend.close();
  write(root, earlier);
  const again = await open(root);
  expect(read(root)).toBe(newest);
  expect(await eventsOf(again)).toHaveLength(events);
});

it.each([['projection.json'], ['base'], ['projection.json', 'base']])(
  'makes up no event when %s %s is deleted',
  async (...files) => {
    const root = scratch();
    const backend = await threeTasks(root);
    await finish(backend, 'a');
    await run(backend, { type: 'block', id: 'b', reason: { kind: 'gate', text: 'Look.', who: 'ann' } });
    await backend.close();
    const text = read(root);
    const before = byId(lookAt(root).tasks);
    for (const file of files) fs.rmSync(storeFile(root, file));
    const again = await open(root);
    await look(again);
    expect(byId(await again.list({ removed: true }))).toEqual(before);
    expect(await again.doctor()).toEqual([]);
    expect(read(root)).toBe(text);
    await run(again, { type: 'edit', id: 'c', set: { title: 'Goes on' } });
    expect(entryOf(root, 'c')).toContain('Goes on');
    edit(root, 'Goes on', 'And a person too');
    await look(again);
    expect(await again.get('c')).toMatchObject({ title: 'And a person too' });
  },
);

it('keeps what people write between the lines', async () => {
  const root = scratch();
  const backend = await threeTasks(root);
  const remarks = ['# At the top.', '# Before b.', '# Behind a value.', '# At the end.'];
  edit(root, /^/, `${remarks[0]}\n`);
  edit(root, /^( *)- name: b$/m, `$1${remarks[1]}\n$1- name: b ${remarks[2]}`);
  write(root, `${read(root)}${remarks[3]}\n`);
  await look(backend);
  await run(backend, { type: 'start', id: 'b', owner: 'w', lease: later });
  await finish(backend, 'a');
  await create(backend, 'd');
  await run(backend, { type: 'settle', id: 'b', verdict: { kind: 'pass' }, summary: 'ok' });
  const text = read(root);
  for (const remark of remarks) expect(text.split(remark)).toHaveLength(2);
  expect(await backend.doctor()).toEqual([]);
  expect((await eventsOf(backend)).filter(({ by }) => by === 'file')).toEqual([]);
});
