import { expect, it } from 'vitest';
import { crashMatrix } from '../support/crash-matrix.ts';
import { everyCommand } from '../support/crash-plan.ts';

/** The lock makes no difference to most of them; `npm run test:kills` plays all. */
const every = process.env['DOCKET_KILLS_PER_PROCESS'] === undefined ? 12 : 1;

it('loses and doubles nothing, whenever it is killed (link lock)', async () => {
  const { failures, points, deaths } = await crashMatrix(everyCommand(), 'link', every);
  expect(failures).toEqual([]);
  expect(deaths).toBe(points);
  // Every hold of this lock is made of disk calls itself, so there are more of them than with the kernel's.
  expect(points * every).toBeGreaterThan(30 * 25);
});
