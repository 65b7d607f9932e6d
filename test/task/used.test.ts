import { expect, it } from 'vitest';
import { usedBy } from '../../src/task/used.ts';

it.each([
  ['nobody says', undefined, { untold: 1, unpriced: 1 }],
  ['less than nothing', { input: 5, output: 1, cost: -50 }, { tokens: 6, money: 0, unpriced: 1 }],
  ['a counter that went back', { input: -5, output: 1, cost: 2 }, { tokens: 0, untold: 1, money: 2 }],
  ['no number', { input: 1, output: 1, cost: Number.NaN }, { tokens: 2, unpriced: 1 }],
  ['nothing', { input: 0, output: 0, cost: 0 }, { tokens: 0, money: 0 }],
] as const)('what a call used: %s', (_, usage, expected) => {
  expect(usedBy(usage, 3)).toEqual({ calls: 1, tokens: 0, money: 0, seconds: 3, ...expected });
});
