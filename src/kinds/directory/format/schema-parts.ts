import * as v from 'valibot';
import { outsideBecause } from '../../../schema/schemas.ts';
import { idPattern, isBuiltIn } from '../../../task/id.ts';

const longestName = 128;

/** A name that becomes a folder and a key. The published schema has the pattern only, as the format has it. */
export const name = v.pipe(
  v.string(),
  v.regex(idPattern),
  v.check((id) => id.length <= longestName, `is longer than ${longestName} characters`),
  v.check((id) => !isBuiltIn(id), 'is a word of JavaScript itself; choose another'),
);

/** JSON schemas count characters, JavaScript counts halves of some: what a schema allows must pass here. */
export const upTo = (most: number) =>
  v.pipe(
    v.string(),
    v.nonEmpty(),
    v.check(
      (text) => text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most),
      ({ input }) => `is ${input.length} characters long; at most ${most} are allowed`,
    ),
    v.metadata({ maxLength: most }),
  );

/** A path from the root that stays inside it. */
export const inside = v.pipe(
  v.string(),
  v.check(
    (path) => outsideBecause(path) === undefined,
    ({ input }) => `${outsideBecause(input)}: it must stay inside the root`,
  ),
);
