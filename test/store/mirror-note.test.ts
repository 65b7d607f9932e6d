import fs from 'node:fs';
import { expect, it } from 'vitest';
import { byId, create } from '../conformance/support.ts';
import { journalOf, lookAt, mirrorOf, openStore, scratch, storeFile } from '../support/scratch.ts';

const garbage = [
  '{}',
  'null',
  '[]',
  '"x"',
  '{"v":1,"hashes":5}',
  '{"v":1,"seq":1,"hash":"","hashes":[],"wrongs":null}',
];

it.each(garbage)('needs no note: %s in its place is none, and invents nothing', async (note) => {
  const root = scratch();
  const store = await openStore(root, { settleMs: 0 });
  for (const id of ['a', 'b', 'c']) await create(store, id);
  const before = byId(await store.list());
  await store.close();
  const [text, journal] = [mirrorOf(root), journalOf(root)].map((file) => fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(storeFile(root, 'projection.json'), note);
  expect(byId(lookAt(root).tasks)).toEqual(before);
  const again = await openStore(root, { settleMs: 0 });
  expect(byId(await again.list())).toEqual(before);
  expect(fs.readFileSync(journalOf(root), 'utf8')).toBe(journal);
  await create(again, 'd');
  await again.close();
  const after = fs.readFileSync(mirrorOf(root), 'utf8');
  expect(after.startsWith(text ?? 'nothing')).toBe(true);
  expect(after).toContain('- name: d\n');
});

it('takes an edit back that is undone in the file', async () => {
  const root = scratch();
  const store = await openStore(root, { settleMs: 0 });
  for (const id of ['a', 'b', 'c']) await create(store, id);
  const ours = fs.readFileSync(mirrorOf(root), 'utf8');
  const [, entry = ''] = /(- name: c\n[^]*)/.exec(ours) ?? [];
  const theirs = `${ours.replace('Task a', 'Another title')}  ${entry.replace('name: c', 'name: d')}`;
  for (const [text, title, tasks] of [
    [theirs, 'Another title', 4],
    [ours, 'Task a', 3],
    [theirs, 'Another title', 4],
    [ours, 'Task a', 3],
  ] as const) {
    fs.writeFileSync(mirrorOf(root), text);
    await store.doctor();
    expect(fs.readFileSync(mirrorOf(root), 'utf8')).toBe(text);
    expect(await store.get('a')).toMatchObject({ title });
    expect(await store.list()).toHaveLength(tasks);
  }
});
