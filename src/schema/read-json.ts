import type * as v from 'valibot';
import { check } from './check.ts';
import { placeInJson } from './json-place.ts';
import { lineAndColumn, parseJson } from './json.ts';
import { inOrder, type Read } from './read-yaml.ts';
import type { Schema } from './schemas.ts';

/** What a JSON file says by its schema, or all that is wrong with it. Never throws. */
export function readJson<S extends Schema>(text: string, schema: S): Read<v.InferOutput<S>> {
  const plain = text.replace(/^\uFEFF/, '');
  const parsed = parseJson(plain);
  if (!('value' in parsed)) {
    const at = lineAndColumn(plain, parsed.at);
    return {
      problems: [
        { message: parsed.message, fix: `Fix line ${at.line}; docket validate checks the file.`, ...at },
      ],
    };
  }
  const checked = check(schema, parsed.value);
  if ('value' in checked) return { value: checked.value, raw: parsed.value as object };
  const problems = inOrder(checked.mistakes, ({ path }) => placeInJson(plain, path));
  return { problems, partial: checked.partial };
}
