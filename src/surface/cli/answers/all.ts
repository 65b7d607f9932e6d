import { aboutOne } from './about-one.ts';
import type { Published } from './answer.ts';
import { queue } from './queue.ts';

/** What commands print with --json, where their files do not say it. No command loads this. */
export const allAnswers: ReadonlyMap<string, Published> = new Map(
  Object.entries({
    ...queue,
    ...aboutOne,
  }),
);

/** Commands whose output is not ours to describe, and why. */
export const undescribed: Readonly<Record<string, string>> = {
  compat: 'it prints what the scripts of the original board print',
};
