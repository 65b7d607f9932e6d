import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/** Time comes in here, so that tests can move it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export function iso(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Returns early when the signal says so. */
export async function sleepUnless(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
