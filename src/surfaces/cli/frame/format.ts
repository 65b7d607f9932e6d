const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/** How long ago, in one short word: `12s`, `5m`, `3h`, `9d`. A clock that runs ahead is not an age. */
export function age(since: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(since)) / 1000);
  if (Number.isNaN(seconds)) return '?';
  for (const [unit, size] of units) if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`;
  return `${Math.max(0, seconds)}s`;
}

const halfDayMs = 12 * 3_600_000;
const two = (value: number): string => String(value).padStart(2, '0');

/** `19:00`, where the reader is. With the day too when it is far from `now`, or where nobody says what is near. */
export function clockTime(at: string, now?: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  if (now !== undefined && time.getTime() - now < halfDayMs) return clock;
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}

/** `3 (1 done, 2 waiting)` */
export function countsOf(states: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  const parts = [...counts].map(([state, count]) => `${count} ${state}`);
  return parts.length === 0 ? '0' : `${states.length} (${parts.join(', ')})`;
}

const durationUnits: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `30d`, `12h`, `2w` or `90m` in milliseconds; undefined: it is none of these. */
export function durationMs(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * (durationUnits[unit] ?? 0);
}

const sizeUnits = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.4 GB`, as people say it. */
export function sizeText(bytes: number): string {
  const at = Math.min(sizeUnits.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** at;
  return `${at === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${sizeUnits[at]}`;
}

/** `10GB`, `500MB` or `1.5TB` in bytes; undefined: it is none of these. */
export function sizeBytes(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?) ?([kmgt]?b)$/i.exec(text.trim()) ?? [];
  if (count === undefined) return undefined;
  return Number(count) * 1000 ** sizeUnits.findIndex((one) => one.toLowerCase() === unit.toLowerCase());
}

/** `1.2k in (300 cached), 45 out, $0.0123`. What nobody told is said to be unknown, not nothing. */
export function tokensText(
  usage: { input: number; cached: number; output: number; cost?: number } | undefined,
): string {
  if (usage === undefined) return 'tokens not reported';
  const { input, cached, output, cost } = usage;
  const price = cost === undefined ? 'cost not reported' : `$${cost.toFixed(4)}`;
  // No model answers for nothing: it was a free program that does not count, or a call that was turned away.
  if (input + cached + output === 0) return `usage not reported, ${price}`;
  const from = cached > 0 ? ` (${compact(cached)} cached)` : '';
  return `${compact(input)} in${from}, ${compact(output)} out, ${price}`;
}

/** `9999`, `12k`, `3.4M`. */
export function compact(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(0)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

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

/** `$1.20`, `at least $1.20`, `cost not reported`: what nobody told is never taken for nothing. */
export function priceText({ money, unpriced = 0, ...of }: Priced): string {
  return asFar(`$${money.toFixed(2)}`, 'cost', unpriced, of);
}

/** The same of tokens. */
export function toldText({ tokens, untold = 0, ...of }: Priced, count = compact): string {
  const { calls, lost = 0, open = 0 } = of;
  // Free programs, and calls that were turned away, count nothing: that is not to be read as a count.
  if (tokens === 0 && calls > 0 && untold + lost + open === 0) return 'usage not reported';
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
  return unknown >= calls + lost + open ? `${what} not reported` : `at least ${known}`;
}

/** `12k tokens, $0.30`; before the first call has ended there is nothing to tell. */
export function usedText(used: Priced | undefined): string {
  if (!used || used.calls === 0) return 'no call has ended yet';
  return `${toldText(used)}, ${priceText(used)}`;
}
