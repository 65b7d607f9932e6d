import type * as v from 'valibot';
import { check, type Path } from './check.ts';
import { read } from './read.ts';
import type { Schema } from './schemas.ts';
import type { Fields } from './value.ts';
import { position } from './yaml/lines.ts';

/** What is wrong in a file, where, and what to do about it. */
interface FileProblem {
  message: string;
  fix: string;
  line: number;
  column: number;
  /** A key is not known, or cannot be one. */
  atKey?: true;
}

export type ReadYaml<T> =
  | { value: T; raw: Fields }
  | { problems: readonly [FileProblem, ...FileProblem[]]; partial?: unknown };

/** What a YAML file says by its schema, or all that is wrong with it, in the order of its lines. Never throws. */
export function readYaml<S extends Schema>(
  text: string,
  schema: S,
  firstLine = 1,
): ReadYaml<v.InferOutput<S>> {
  const found = read(text);
  const place = (offset: number) => position(text, Math.min(offset, text.length), firstLine);
  if ('problem' in found) {
    const at = place(found.offset);
    return { problems: [{ message: found.problem, fix: `Fix line ${at.line}.`, ...at }] };
  }
  const checked = check(schema, found.raw);
  if ('value' in checked) return { value: checked.value, raw: found.raw };
  const problems = checked.mistakes.map(({ path, ...mistake }) => ({
    ...mistake,
    ...place(mistake.atKey ? found.keyOffsetOf(path) : found.offsetOf(path)),
  }));
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return { problems: sorted as [FileProblem, ...FileProblem[]], partial: checked.partial };
}

/** Where the value of a key stands; where the key is missing, what it is missing from. */
export function placeIn(text: string, path: Path): { line: number; column: number } {
  const found = read(text);
  return position(text, 'problem' in found ? 0 : found.offsetOf(path));
}
