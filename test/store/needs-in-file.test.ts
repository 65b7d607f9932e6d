import fs from 'node:fs';
import { expect, it } from 'vitest';
import { ownOf } from '../../src/kinds/queue/format/record.ts';
import type { FileStore } from '../../src/store/store.ts';
import { mirrorOf, openStore, scratch } from '../support/scratch.ts';

const record = (name: string, more = ''): string =>
  `  - name: ${name}\n    status: pending\n    content: Do ${name}\n    created_at: "2026-01-01"\n    started_at: null\n    completed_at: null\n${more && `    ${more}\n`}`;

async function opened(text: string): Promise<{ root: string; store: FileStore }> {
  const root = scratch();
  fs.mkdirSync(`${root}/.takt`);
  fs.writeFileSync(mirrorOf(root), text);
  return { root, store: await openStore(root, { settleMs: 0 }) };
}

async function needsByName(store: FileStore): Promise<Record<string, string[]>> {
  const tasks = await store.list();
  const names = new Map(tasks.map((task) => [task.id, ownOf(task).name]));
  return Object.fromEntries(
    tasks.map((task) => [ownOf(task).name, task.needs.map((id) => names.get(id) ?? id)]),
  );
}

it('waits for the tasks that a record names, in whatever order they stand', async () => {
  const text = `tasks:\n${record('c', 'needs: [b, a]')}${record('b', 'needs: a')}${record('a')}`;
  const { root, store } = await opened(text);
  expect(await store.doctor()).toEqual([]);
  expect(await needsByName(store)).toEqual({ a: [], b: ['a'], c: ['b', 'a'] });
  expect(
    (await store.claim({ owner: 'me', max: 9, conditions: {} })).map(({ task }) => ownOf(task).name),
  ).toEqual(['a']);
  expect(fs.readFileSync(mirrorOf(root), 'utf8')).toContain('needs: [b, a]');
  fs.writeFileSync(
    mirrorOf(root),
    fs.readFileSync(mirrorOf(root), 'utf8').replace('needs: [b, a]', 'needs: [a]'),
  );
  expect(await store.doctor()).toEqual([]);
  expect((await needsByName(store))['c']).toEqual(['a']);
});

it.each([
  ['a task that is not there', 'needs: [nobody]', 'there is no task "nobody"'],
  ['itself', 'needs: [b]', 'wait for each other'],
  ['something else', 'needs: 5', 'a list of names'],
])('holds a record that needs %s, and its neighbours go on', async (_what, needs, message) => {
  const { store } = await opened(`tasks:\n${record('a')}${record('b', needs)}`);
  expect(await store.doctor()).toMatchObject([
    { severity: 'error', message: expect.stringContaining(message) },
  ]);
  expect(Object.keys(await needsByName(store))).toEqual(['a']);
});

it('refuses a circle of new records', async () => {
  const { store } = await opened(
    `tasks:\n${record('a', 'needs: [b]')}${record('b', 'needs: [a]')}${record('c')}`,
  );
  expect(await store.doctor()).not.toEqual([]);
  expect(Object.keys(await needsByName(store))).toEqual(['c']);
});
