import type { Used } from './used-schema.ts';

export const nothingUsed: Used = { calls: 0, tokens: 0, money: 0, seconds: 0 };

/** What one call has used. Absent usage is unknown, never nothing; so is what no call can use, such as less than nothing. */
export function usedBy(
  usage: { input: number; output: number; cost?: number } | undefined,
  seconds: number,
): Used {
  const used: Used = { ...nothingUsed, calls: 1, seconds: Math.max(0, seconds) };
  const isTold = usage && isCount(usage.input) && isCount(usage.output);
  if (isTold) used.tokens = usage.input + usage.output;
  else used.untold = 1;
  if (usage && isCount(usage.cost)) used.money = usage.cost;
  else used.unpriced = 1;
  return used;
}

/** Counters of vendors have been negative. */
export function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

export function plus(a: Used | undefined, b: Used): Used {
  if (!a) return b;
  const untold = (a.untold ?? 0) + (b.untold ?? 0);
  const unpriced = (a.unpriced ?? 0) + (b.unpriced ?? 0);
  return {
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    money: a.money + b.money,
    seconds: a.seconds + b.seconds,
    ...(untold > 0 && { untold }),
    ...(unpriced > 0 && { unpriced }),
  };
}
