import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Purse } from '../../src/engine/purse.ts';

it.each([
  [0.001, 'budget'],
  [99_999_999_999, undefined], // more than a timer holds
])('a call that may take %d seconds', async (seconds, ended) => {
  const purse = new Purse({ seconds }, undefined, new AbortController().signal);
  await sleep(50);
  purse.close();
  expect(purse.spent?.kind).toBe(ended);
  expect(purse.signal.aborted).toBe(ended !== undefined);
});
