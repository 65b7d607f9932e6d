import type { Used } from './used-schema.ts';

/** What may be used up. Money is in US dollars. */
export interface Caps {
  calls?: number;
  tokens?: number;
  money?: number;
  seconds?: number;
}

export const units = ['calls', 'tokens', 'money', 'seconds'] as const;
export type Unit = (typeof units)[number];

/** A cap that lets no further call begin. `waits`: calls that are on their way may yet leave room. */
export interface Reached {
  unit: Unit;
  used: number;
  cap: number;
  waits?: true;
}

/** What is at work under the same cap, and the most that each call may come to. */
export interface Flight {
  calls: number;
  /** Absent: nobody can say yet. */
  most?: Most;
}

/** The most that one call may come to. */
export type Most = Omit<Caps, 'calls'>;

/**
 * Does one call more fit? What a call uses is known when it is over, so room is kept for those at work: each for the
 * most that a call has come to. While nobody knows that, calls go one by one. So a cap is passed by one call at most.
 */
export function reachedBy(caps: Caps | undefined, used: Used, flight: Flight): Reached | undefined {
  if (!caps) return undefined;
  for (const unit of units) {
    const cap = caps[unit];
    if (cap === undefined) continue;
    const so = { unit, used: used[unit], cap };
    if (used[unit] >= cap) return so;
    if (flight.calls === 0) continue;
    const most = unit === 'calls' ? 1 : flight.most?.[unit];
    if (most === undefined || used[unit] + most * (flight.calls + 1) > cap) return { ...so, waits: true };
  }
  return undefined;
}

/** "4 of 4 calls", "$1.20 of $1.00" */
export function amount({ unit, used, cap }: Reached): string {
  if (unit === 'money') return `$${used.toFixed(2)} of $${cap.toFixed(2)}`;
  return `${Math.round(used)} of ${cap} ${unit}`;
}

/** Why what it held goes on: `day.money has room again`. */
export function roomText({
  scope,
  unit,
  unpriced,
}: {
  scope: string;
  unit: Unit;
  unpriced?: object;
}): string {
  if (unpriced) return 'no price holds it any more';
  return `${scope === 'own' ? 'its own budget' : `${scope.replace(/^user\./, '')}.${unit}`} has room again`;
}
