import { expect, it } from 'vitest';
import { crashMatrix } from '../support/crash-matrix.ts';
import { everyCommand, snapshotAndCompaction } from '../support/crash-plan.ts';

/** Other points at each run; `npm run test:kills` plays all of them. */
const every = process.env['DOCKET_KILLS_PER_PROCESS'] === undefined ? 6 : 1;
const limit = { timeout: 30 * 60_000 };

it('loses and doubles nothing, whenever it is killed (kernel lock)', limit, async () => {
  const { failures, points, deaths } = await crashMatrix(everyCommand(), 'kernel', every);
  expect(failures).toEqual([]);
  expect(deaths).toBe(points);
  // A round has a journal, a note, a mirror and a base to write: fewer points would mean that the probe is blind.
  expect(points * every).toBeGreaterThan(30 * 15);
});

it('loses and doubles nothing, killed around snapshots and compactions', limit, async () => {
  const { failures, points, deaths } = await crashMatrix(snapshotAndCompaction(), 'kernel', every);
  expect(failures).toEqual([]);
  expect(deaths).toBe(points);
  expect(points * every).toBeGreaterThan(12 * 15);
});
