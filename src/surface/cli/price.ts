import { compact } from './tokens.ts';

interface Priced {
  calls: number;
  tokens: number;
  money: number;
  unpriced?: number;
  untold?: number;
  lost?: number;
}

/** `$1.20 + 2 unknown`: what nobody told is never taken for nothing. */
export function priceText({ calls, money, unpriced = 0, lost = 0 }: Priced): string {
  const unknown = unpriced + lost;
  const known = unknown === 0 || unknown < calls + lost ? `$${money.toFixed(2)}` : '';
  return [known, unknown > 0 ? `${unknown} unknown` : ''].filter((text) => text !== '').join(' + ');
}

/** `12k tokens, $0.30`; before the first call has ended there is nothing to tell. */
export function usedText(used: Priced | undefined): string {
  if (!used || used.calls === 0) return 'no call has ended yet';
  const { calls, tokens, untold = 0 } = used;
  const known = untold < calls ? `${compact(tokens)} tokens` : 'tokens unknown';
  const price = (used.unpriced ?? 0) >= calls ? 'cost unknown' : priceText(used);
  return `${known}, ${price}`;
}
