import { expect, it } from 'vitest';
import { crashMatrix } from '../support/crash-matrix.ts';
import { everyCommand } from '../support/crash-plan.ts';

it('loses and doubles nothing, whenever it is killed (link lock)', async () => {
  const { failures, points, deaths } = await crashMatrix(everyCommand(), 'link');
  expect(failures).toEqual([]);
  expect(deaths).toBe(points);
  // Every hold of this lock is made of disk calls itself, so there are more of them than with the kernel's.
  expect(points).toBeGreaterThan(30 * 25);
});
