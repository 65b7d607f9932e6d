import { expect, it } from 'vitest';
import { crashMatrix } from '../support/crash-matrix.ts';
import { everyCommand, snapshotAndCompaction } from '../support/crash-plan.ts';

const limit = { timeout: 30 * 60_000 };
/** All of them: `npm run test:storm`, and one process for each with `npm run test:kills`. */
const every = 5;

it.each([
  ['whenever it is killed', everyCommand],
  ['killed around snapshots and compactions', snapshotAndCompaction],
])('loses and doubles nothing, %s: a sample', limit, async (_when, plan) => {
  const { failures, points, deaths } = await crashMatrix(plan(), 'kernel', every);
  expect(failures).toEqual([]);
  expect(deaths).toBe(points);
  expect(points).toBeGreaterThan(30);
});
