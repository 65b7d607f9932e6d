import type { Used } from '../task/used-schema.ts';

/** `9 calls, 12345 tokens, $0.12`. What nobody told is said to be unknown, not nothing. */
export function usedWords(used: Used | undefined): string {
  if (!used || used.calls === 0) return 'no calls';
  const { calls, money, unpriced = 0 } = used;
  return [
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    tokensOf(used),
    unpriced === calls ? 'cost not reported' : atLeast(unpriced, `$${money.toFixed(2)}`),
  ].join(', ');
}

/** Free programs, and calls that were turned away, count nothing: that is not to be read as a count. */
function tokensOf({ calls, untold = 0, tokens }: Used): string {
  if (untold === calls) return 'tokens not reported';
  if (untold === 0 && tokens === 0) return 'usage not reported';
  return atLeast(untold, `${Math.round(tokens)} tokens`);
}

function atLeast(unsaid: number, text: string): string {
  return unsaid > 0 ? `at least ${text}` : text;
}
