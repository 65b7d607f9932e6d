import { z } from 'zod';
import { outsideBecause } from '../../../../schema/relative.ts';
import { idPattern, isBuiltIn } from '../../../../task/id.ts';

const longestName = 128;

/** A name that becomes a folder and a key. The published schema has the pattern only, as the format has it. */
export const name = z
  .string()
  .regex(idPattern)
  .refine((id) => id.length <= longestName, `is longer than ${longestName} characters`)
  .refine((id) => !isBuiltIn(id), 'is a word of JavaScript itself; choose another');

/** JSON schemas count characters, JavaScript counts halves of some: what a schema allows must pass here. */
export const text = (max: number) =>
  z
    .string()
    .min(1)
    .refine((value) => value.length <= max || (value.length <= 2 * max && Array.from(value).length <= max), {
      error: ({ input }) => `is ${(input as string).length} characters long; at most ${max} are allowed`,
    })
    .meta({ maxLength: max });

/** A path from the root that stays inside it. */
export const inside = z.string().refine((path) => outsideBecause(path) === undefined, {
  error: ({ input }) => `${outsideBecause(input as string)}: it must stay inside the root`,
});

export const time = z.iso.datetime({ offset: true });
