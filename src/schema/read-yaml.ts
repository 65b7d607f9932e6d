import type * as v from 'valibot';
import { check, type Mistake, type Path } from './check.ts';
import { read } from './read.ts';
import type { Schema } from './schemas.ts';
import { position } from './yaml/lines.ts';

/** What is wrong in a file, where, and what to do about it. */
export interface FileProblem {
  message: string;
  fix: string;
  line: number;
  column: number;
  /** A key is not known, or cannot be one. */
  atKey?: true;
}

type Problems = readonly [FileProblem, ...FileProblem[]];

/** `raw`: what is written, before defaults. */
export type Read<T> = { value: T; raw: object } | { problems: Problems; raw?: object; partial?: unknown };

/** What a YAML file says by its schema, or all that is wrong with it, in the order of its lines. Never throws. */
export function readYaml<S extends Schema>(text: string, schema: S, firstLine = 1): Read<v.InferOutput<S>> {
  const found = read(text);
  const placeAt = (offset: number) => position(text, Math.min(offset, text.length), firstLine);
  if ('problem' in found) {
    const at = placeAt(found.offset);
    return {
      problems: [
        { message: found.problem, fix: `Fix line ${at.line}; docket validate checks the file.`, ...at },
      ],
    };
  }
  const checked = check(schema, found.raw);
  if ('value' in checked) return { value: checked.value, raw: found.raw };
  const place = ({ path, atKey }: Mistake) => placeAt(atKey ? found.keyOffsetOf(path) : found.offsetOf(path));
  return { problems: inOrder(checked.mistakes, place), raw: found.raw, partial: checked.partial };
}

/** Mistakes as they stand in the file. */
export function inOrder(
  mistakes: readonly Mistake[],
  placeOf: (mistake: Mistake) => { line: number; column: number },
): Problems {
  const placed = mistakes.map((mistake) => {
    const { path: _, problem: __, ...told } = mistake;
    return { ...told, ...placeOf(mistake) };
  });
  return placed.toSorted((a, b) => a.line - b.line || a.column - b.column) as unknown as Problems;
}

/** Where the value of a key stands; where the key is missing, what it is missing from. */
export function placeIn(text: string, path: Path): { line: number; column: number } {
  const found = read(text);
  return position(text, 'problem' in found ? 0 : found.offsetOf(path));
}
