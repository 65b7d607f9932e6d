export { setTimeout as sleep } from 'node:timers/promises';

/** Time comes in here, so that tests can move it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export function iso(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
