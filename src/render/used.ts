import type { Used } from '../task/used-schema.ts';

/** `9 calls, 12345 tokens, $0.12`. What nobody told is said to be unknown, not nothing. */
export function usedWords(used: Used | undefined): string {
  if (!used || used.calls === 0) return 'no calls';
  const { calls, untold = 0, tokens, money, unpriced = 0 } = used;
  const atLeast = (count: number, text: string) => (count > 0 ? `at least ${text}` : text);
  return [
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    untold === calls ? 'tokens unknown' : atLeast(untold, `${Math.round(tokens)} tokens`),
    unpriced === calls ? 'cost unknown' : atLeast(unpriced, `$${money.toFixed(2)}`),
  ].join(', ');
}
