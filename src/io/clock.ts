import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/** Time comes in here, so that tests can move it. */
export interface Clock {
  now(): number;
  /** So long by this clock, or until the signal. Absent: by the system's. */
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now() };

export function sleepBy(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return clock.sleep ? clock.sleep(ms, signal) : sleepUnless(ms, signal);
}

/** A timer for longer goes off at once. Nothing that is timed here takes 24 days. */
export const longestTimerMs = 2 ** 31 - 1;

const longestNapMs = 30_000;

/**
 * Until a time of day, or the signal. In naps: a machine that sleeps stops its timers, and a clock that is set moves the
 * time; both are seen at the next look.
 */
export async function sleepUntil(time: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let left = time - clock.now(); left > 0 && !signal.aborted; left = time - clock.now())
    await sleepBy(clock, Math.min(left, longestNapMs), signal);
}

export function iso(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Returns early when the signal says so. */
export async function sleepUnless(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
