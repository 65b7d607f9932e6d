import { compact } from './tokens.ts';

interface Priced {
  calls: number;
  tokens: number;
  money: number;
  unpriced?: number;
  untold?: number;
  /** Beside the calls: those of which nobody will tell, and those that are at work. */
  lost?: number;
  open?: number;
}

/** `$1.20`, `at least $1.20`, `cost unknown`: what nobody told is never taken for nothing. */
export function priceText({ money, unpriced = 0, ...of }: Priced): string {
  return asFar(`$${money.toFixed(2)}`, 'cost', unpriced, of);
}

/** The same of tokens. */
export function toldText({ tokens, untold = 0, ...of }: Priced, count = compact): string {
  const { calls, lost = 0, open = 0 } = of;
  // Free programs, and calls that were turned away, count nothing: that is not to be read as a count.
  if (tokens === 0 && calls > 0 && untold + lost + open === 0) return 'no tokens told';
  return asFar(`${count(tokens)} tokens`, 'tokens', untold, of);
}

function asFar(
  known: string,
  what: string,
  unsaid: number,
  { calls, lost = 0, open = 0 }: Pick<Priced, 'calls' | 'lost' | 'open'>,
): string {
  const unknown = unsaid + lost + open;
  if (unknown === 0) return known;
  return unknown >= calls + lost + open ? `${what} unknown` : `at least ${known}`;
}

/** `12k tokens, $0.30`; before the first call has ended there is nothing to tell. */
export function usedText(used: Priced | undefined): string {
  if (!used || used.calls === 0) return 'no call has ended yet';
  return `${toldText(used)}, ${priceText(used)}`;
}
