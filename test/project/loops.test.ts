import { expect, it } from 'vitest';
import { loopsFor } from '../../src/settings/loops.ts';
import { loopIn } from '../../src/task/loop.ts';
import type { End } from '../../src/task/trail-schema.ts';

const at = '2026-01-01T00:00:00.000Z';
const found: End = { at, node: 'verify', said: 'it fails', finding: true, tree: 'a' };
const monitors = [{ cycle: ['fix', 'verify'], ignore: [], threshold: 3, judge: 'judge' }];

it('a monitor of the workflow is asked first, also where the circle is entered by one of its own ends', () => {
  const { times } = loopsFor({}, '', monitors);
  const fixed = (tree: string): End => ({ at, node: 'fix', tree, changed: true });
  const due = [found, ...['b', 'c', 'd'].flatMap((tree) => [fixed(tree), { ...found, tree }])];
  expect(loopIn(due, times)).toBeUndefined(); // three rounds of fix, verify: the judge has its say
  expect(loopIn([...due, fixed('e'), { ...found, tree: 'e' }], times)?.kind).toBe('finding');
});
