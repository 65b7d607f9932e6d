import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { AttemptBudget } from '../../src/engine/attempt-budget.ts';

it.each([
  [0.001, 'budget'],
  [99_999_999_999, undefined], // more than a timer holds
])('a call that may take %d seconds', async (seconds, ended) => {
  const purse = new AttemptBudget({ seconds }, undefined, new AbortController().signal);
  await sleep(50);
  purse.close();
  expect(purse.spent?.kind).toBe(ended);
  expect(purse.signal.aborted).toBe(ended !== undefined);
});

it.each([
  [{ tokens: 100 }, 60, undefined],
  [{ tokens: 100 }, 100, 'budget'],
  [{ calls: 1 }, 500, undefined],
  [undefined, 500, undefined],
])('a call with the caps %j that reports %d tokens', (caps, tokens, ended) => {
  const purse = new AttemptBudget(caps, undefined, new AbortController().signal);
  const half = { input: tokens / 2, cached: 0, output: 0 };
  for (const turn of [half, half]) purse.saw({ type: 'usage', turn });
  purse.close();
  expect(purse.spent?.kind).toBe(ended);
  expect(purse.signal.aborted).toBe(ended !== undefined);
});
