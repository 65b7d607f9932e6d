import { DocketError } from '../../../errors.ts';
import { lineAndColumn, parseJson } from '../../../schema/json.ts';
import type { Mistake, Rule } from '../../../schema/rule.ts';
import type { Json } from '../../../schema/value.ts';
import { placeInJson } from './json-place.ts';

export interface JsonFile {
  /** As people know it: from the root. */
  file: string;
  text: string;
}

export interface JsonProblem {
  message: string;
  fix: string;
  line: number;
  column: number;
}

/** What a settings file of the board says, and what in it means nothing to docket. */
export interface JsonRead<T> {
  value: T;
  /** Keys of other tools, or slips of the pen: they are told, and stop nothing. */
  unknown: JsonProblem[];
}

/** Throws what is wrong, all of it: work must not be judged by half of a policy. */
export function readJsonFile<T extends Json>({ file, text }: JsonFile, rule: Rule<T>): JsonRead<T> {
  const plain = text.replace(/^\uFEFF/, '');
  const parsed = parseJson(plain);
  if (!('value' in parsed)) {
    const { line, column } = lineAndColumn(plain, parsed.at);
    throw invalid(file, [
      {
        message: parsed.message,
        fix: `Mend line ${line}; the rest of the file stays as it is.`,
        line,
        column,
      },
    ]);
  }
  const mistakes: Mistake[] = [];
  const value = rule(parsed.value as Json, [], mistakes);
  const told = mistakes.map(({ path, message, fix }) => ({
    message: message.trim(),
    fix,
    ...placeInJson(plain, path),
  }));
  const wrong = told.filter((_, index) => !isUnknownKey(mistakes[index]));
  if (wrong.length > 0) throw invalid(file, wrong);
  return { value, unknown: told };
}

function isUnknownKey(mistake: Mistake | undefined): boolean {
  return mistake !== undefined && 'atKey' in mistake;
}

function invalid(file: string, problems: readonly JsonProblem[]): DocketError {
  const [first] = problems;
  const lines = problems.map(({ message, line, column }) => `${file}:${line}:${column}: ${message}`);
  return new DocketError('INVALID', lines.join('\n'), first?.fix ?? 'Mend the file.', { file, problems });
}

/** A list of texts that say something. An empty list is allowed: it asks for nothing. */
export function words<W extends string = string>(known?: readonly W[]): Rule<W[]> {
  const what = known ? `a list of these words: ${known.join(', ')}` : 'a list of texts';
  const fix = `Write ${what}, such as ["${known?.[0] ?? 'a'}"].`;
  return (value, path, mistakes) => {
    if (value === undefined || value === null) return [];
    const isWord = (entry: Json): entry is W =>
      typeof entry === 'string' && (known ? known.includes(entry as W) : entry.trim() !== '');
    if (Array.isArray(value) && value.every(isWord)) return value;
    mistakes.push({ path, message: `${path.join('.')} must be ${what}`, fix });
    return [];
  };
}
