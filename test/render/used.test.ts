import { expect, it } from 'vitest';
import { usedWords } from '../../src/render/used.ts';
import { plus, usedBy } from '../../src/task/used.ts';

it('says of tokens what was told, and never that there were none', () => {
  const free = usedBy({ input: 0, output: 0, cost: 0 }, 1);
  const silent = usedBy(undefined, 1);
  const whole = usedBy({ input: 100, output: 10, cost: 0.4 }, 1);
  expect(usedWords(undefined)).toBe('no calls');
  expect(usedWords(free)).toBe('1 call, usage not reported, $0.00');
  expect(usedWords(silent)).toBe('1 call, tokens not reported, cost not reported');
  expect(usedWords(plus(whole, silent))).toBe('2 calls, at least 110 tokens, at least $0.40');
  expect(usedWords(plus(whole, free))).toBe('2 calls, 110 tokens, $0.40');
});
