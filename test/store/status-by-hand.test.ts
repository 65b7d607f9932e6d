import fs from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { FileStore } from '../../src/store/store.ts';
import { create, finish, later, run } from '../conformance/support.ts';
import { lookAt, mirrorOf, openStore, scratch } from '../support/scratch.ts';

type Raw = Record<string, unknown> & { name: string };

const read = (root: string): string => fs.readFileSync(mirrorOf(root), 'utf8');
const write = (root: string, text: string): void => fs.writeFileSync(mirrorOf(root), text);
const records = (root: string): Raw[] => (parse(read(root)) as { tasks: Raw[] }).tasks;
const record = (root: string, name: string): Raw | undefined =>
  records(root).find((one) => one.name === name);

/** One that waits (a), one that is done (b), one that failed (c). */
async function threeStates(root: string): Promise<FileStore> {
  const store = await openStore(root, { settleMs: 0 });
  for (const id of ['a', 'b', 'c']) await create(store, id);
  await finish(store, 'b');
  await run(store, { type: 'start', id: 'c', owner: 'w', lease: later });
  await run(store, { type: 'fail', id: 'c', failure: { error: 'broken' } });
  return store;
}

/** As a person does it: the one word, and nothing else. */
function setStatus(root: string, name: string, status: string): void {
  const text = read(root);
  const at = text.indexOf(`name: ${name}\n`);
  write(root, text.slice(0, at) + text.slice(at).replace(/status: \w+/, `status: ${status}`));
}

it.each(['b', 'c'])('puts %s back when only its status is changed to pending', async (name) => {
  const root = scratch();
  const store = await threeStates(root);
  setStatus(root, name, 'pending');
  expect(await store.doctor()).toEqual([]);
  expect(await store.get(name)).toMatchObject({ status: 'queued' });
  const after = record(root, name);
  expect(after).toMatchObject({ status: 'pending', started_at: null, completed_at: null });
  expect(after).not.toHaveProperty('failure');
});

it('marks a task completed or failed now, when the record says no time', async () => {
  const root = scratch();
  const store = await threeStates(root);
  setStatus(root, 'a', 'completed');
  expect(await store.doctor()).toEqual([]);
  const done = await store.get('a');
  expect(done).toMatchObject({ status: 'done' });
  const age = Date.now() - Date.parse((done as { finishedAt: string }).finishedAt);
  expect(age).toBeLessThan(60_000);
  expect(record(root, 'a')).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
  setStatus(root, 'b', 'failed');
  expect(await store.doctor()).toEqual([]);
  expect(await store.get('b')).toMatchObject({ status: 'failed' });
  expect(record(root, 'b')).toMatchObject({
    status: 'failed',
    failure: { error: 'marked as failed in tasks.yaml' },
  });
});

it.each(['a', 'b', 'c'])('does not begin to run %s because its status says running', async (name) => {
  const root = scratch();
  const store = await threeStates(root);
  const before = await store.get(name);
  setStatus(root, name, 'running');
  const text = read(root);
  const findings = await store.doctor();
  expect(findings.length).toBeGreaterThan(0);
  expect(findings[0]).toMatchObject({
    message: expect.stringMatching(/^Running task /),
    fix: expect.stringContaining('set its status to pending'),
  });
  expect(await store.get(name)).toEqual(before);
  expect(read(root)).toBe(text);
});

it('writes a line again that belongs to the status, and changes nothing else', async () => {
  const root = scratch();
  const store = await threeStates(root);
  const before = await store.get('b');
  const whole = record(root, 'b');
  write(root, read(root).replace(/(name: b\n[^]*?)(?:\s+(?:started_at|created_at): .*)+/, '$1'));
  expect(record(root, 'b')).not.toHaveProperty('created_at');
  expect(await store.doctor()).toEqual([]);
  expect(await store.get('b')).toMatchObject({
    status: 'done',
    finishedAt: (before as { finishedAt: string }).finishedAt,
  });
  expect(record(root, 'b')).toEqual(whole);
});

it('takes a record with a name and a text, and fills in the rest', async () => {
  const root = scratch();
  const store = await threeStates(root);
  write(root, `${read(root)}  - name: mine\n    content: Do it.\n    priority: high\n`);
  const seen = lookAt(root);
  expect(seen.findings).toMatchObject([{ severity: 'warning', message: expect.stringContaining('"high"') }]);
  const found = seen.tasks.find(({ title }) => title === 'Do it.');
  await store.doctor();
  expect(await store.get(found?.id ?? '')).toMatchObject({ status: 'queued', createdBy: 'file' });
  expect(record(root, 'mine')).toMatchObject({
    status: 'pending',
    created_at: expect.stringMatching(/^20/),
    started_at: null,
    completed_at: null,
    priority: 'high',
  });
  const made = Date.parse(String(record(root, 'mine')?.['created_at']));
  expect(Date.now() - made).toBeLessThan(60_000);
});

it('makes a new task of a record that is written again without a time', async () => {
  const root = scratch();
  const store = await threeStates(root);
  const text = '  - name: mine\n    content: Do it.\n';
  const before = read(root);
  write(root, before + text);
  await store.doctor();
  const first = (await store.list()).find(({ title }) => title === 'Do it.');
  write(root, before);
  await store.doctor();
  expect(await store.get(first?.id ?? '')).toMatchObject({ status: 'canceled' });
  write(root, before + text);
  await store.doctor();
  const again = (await store.list()).find(({ title }) => title === 'Do it.');
  expect(again).toMatchObject({ status: 'queued' });
  expect(again?.id).not.toBe(first?.id);
  expect(await store.doctor()).toEqual([]);
});
