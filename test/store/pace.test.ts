import { expect, it } from 'vitest';
import { longestPauseForOne, Pace } from '../../src/store/file/files-in-step.ts';

const slow = 60_000;

/** How long the next write waits behind one that took a minute. */
function behindASlowWrite(longestMs?: number): number {
  const pace = new Pace(25, longestMs);
  pace.wrote(performance.now() - slow);
  return pace.dueIn;
}

it('a long file is written seldom; files about one task follow soon, also on a busy machine', () => {
  expect(behindASlowWrite()).toBeGreaterThan(10 * slow);
  expect(behindASlowWrite(longestPauseForOne)).toBeLessThanOrEqual(longestPauseForOne);
});
