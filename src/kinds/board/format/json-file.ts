import type * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import { type FileProblem, readJson } from '../../../schema/read.ts';
import type { Schema } from '../../../schema/schemas.ts';

export interface JsonFile {
  /** As people know it: from the root. */
  file: string;
  text: string;
}

/** What a settings file of the board says, and what in it means nothing to docket. */
export interface JsonRead<T> {
  value: T;
  /** Keys of other tools, or slips of the pen: they are told, and stop nothing. */
  unknown: readonly FileProblem[];
}

/** Throws what is wrong, all of it: work must not be judged by half of a policy. */
export function readJsonFile<S extends Schema>(
  { file, text }: JsonFile,
  schema: S,
): JsonRead<v.InferOutput<S>> {
  const read = readJson(text, schema);
  if ('value' in read) return { value: read.value, unknown: [] };
  const wrong = read.problems.filter(({ atKey }) => !atKey);
  if (wrong.length === 0) return { value: read.partial, unknown: read.problems };
  const lines = wrong.map(({ message, line, column }) => `${file}:${line}:${column}: ${message}`);
  throw new DocketError('INVALID', lines.join('\n'), wrong[0]?.fix ?? '', { file, problems: wrong });
}
