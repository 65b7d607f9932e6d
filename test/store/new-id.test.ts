import { expect, test } from 'vitest';
import { newId } from '../../src/store/new-id.ts';
import { idPattern } from '../../src/task/id.ts';
import { ended, startNode } from '../support/child.ts';

test('eight processes make a thousand ids each: all different, in order within each', async () => {
  const children = Array.from({ length: 8 }, () => ended(startNode('ids.mjs', ['1000'])));
  const lists = (await Promise.all(children)).map(({ out }) => out.trimEnd().split('\n'));
  const all = lists.flat();
  expect(all).toHaveLength(8000);
  expect(new Set(all).size).toBe(8000);
  for (const list of lists) expect(list.toSorted()).toEqual(list);
  for (const id of all) expect(id).toMatch(idPattern);
  for (const id of all) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
});

test('a clock that goes back does not bring ids out of order', () => {
  const times = [5000, 5001, 4000, 1, 5001, 5002].map((ms) => ms + Date.now());
  const ids = times.map((now) => newId({ now: () => now }));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
