import { isTaskId } from '../task/id.ts';
import { jsonPath, quoted } from './problem.ts';
import { timeOf } from './time.ts';
import type { Json } from './value.ts';

type Path = readonly (string | number)[];

/** What is wrong with a value, and where it stands. */
export interface Mistake {
  path: Path;
  message: string;
  fix: string;
}

/** Reads a value into its normal form. What is wrong with it is noted, and something harmless is returned. */
export type Rule<T extends Json> = (value: Json | undefined, path: Path, mistakes: Mistake[]) => T;

/** `key:` without a value says as much as no key at all. */
const isAbsent = (value: Json | undefined): value is null | undefined =>
  value === undefined || value === null;

/** Without a fallback it is required. */
export function text(fallback?: string): Rule<string> {
  return (value, path, mistakes) => {
    if (typeof value === 'string' && (value !== '' || fallback !== undefined)) return value;
    if (isAbsent(value) && fallback !== undefined) return fallback;
    if (isAbsent(value) || value === '') return note(mistakes, path, 'is required', 'Give it a text.', '');
    const fix = typeof value === 'object' ? 'Write a text.' : `Put it in quotes: "${value}".`;
    return note(mistakes, path, 'must be a text', fix, '');
  };
}

export const textOrNull: Rule<string | null> = (value, path, mistakes) =>
  isAbsent(value) ? null : text('')(value, path, mistakes);

/** A name that becomes a folder. */
export const name: Rule<string> = (value, path, mistakes) => {
  const word = text()(value, path, mistakes);
  if (word === '' || isTaskId(word)) return word;
  const fix = 'Use 1 to 128 letters, digits, "_" and "-".';
  return note(mistakes, path, `${quoted(word)} is no name`, fix, '');
};

/** One of some words, or an older word for one of them. The first is what a required one falls back to. */
export function word<W extends string>(
  words: readonly [W, ...W[]],
  older: Readonly<Record<string, W>> = {},
  fallback?: W,
): Rule<W> {
  const fix = `Write one of ${words.join(', ')}.`;
  return (value, path, mistakes) => {
    if (isAbsent(value) && fallback !== undefined) return fallback;
    if (isAbsent(value)) return note(mistakes, path, 'is required', fix, words[0]);
    const found = words.find((known) => known === value);
    if (found !== undefined) return found;
    const meant = typeof value === 'string' && Object.hasOwn(older, value) ? older[value] : undefined;
    const said = typeof value === 'string' ? quoted(value) : JSON.stringify(value).slice(0, 60);
    return meant ?? note(mistakes, path, `${said} is not one of ${words.join(', ')}`, fix, words[0]);
  };
}

export const time: Rule<string | null> = (value, path, mistakes) => {
  if (isAbsent(value) || (typeof value === 'string' && timeOf(value) === value)) return value ?? null;
  return note(mistakes, path, 'is no time', 'Write it like 2026-02-01T10:00:00Z.', null);
};

export function count(least: number, most: number, fallback: number): Rule<number> {
  const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`;
  const what = `a whole number ${range}`;
  return (value, path, mistakes) => {
    if (isAbsent(value)) return fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    return note(mistakes, path, `must be ${what}`, `Write ${what}.`, fallback);
  };
}

export function yesNo(fallback: boolean): Rule<boolean> {
  return (value, path, mistakes) => {
    if (isAbsent(value)) return fallback;
    if (typeof value === 'boolean') return value;
    return note(mistakes, path, 'must be true or false', 'Write true or false.', fallback);
  };
}

/** Items that are wrong are left out; with a `key`, no two may have the same. */
export function list<T extends Json>(item: Rule<T>, key?: string): Rule<T[]> {
  return (value, path, mistakes) => {
    if (isAbsent(value)) return [];
    if (!Array.isArray(value))
      return note(mistakes, path, 'must be a list', 'Begin each item with "- ".', []);
    const seen = new Set<unknown>();
    return value.flatMap((part, index) => {
      const before = mistakes.length;
      const read = item(part, [...path, index], mistakes);
      if (mistakes.length > before) return [];
      if (key === undefined) return [read];
      const id = (read as Record<string, Json>)[key];
      if (seen.has(id))
        return note(mistakes, [...path, index, key], 'is there twice', 'Give one of them another.', []);
      seen.add(id);
      return [read];
    });
  };
}

export function shape<T extends Record<string, Json>>(rules: {
  readonly [K in keyof T]: Rule<T[K]>;
}): Rule<T> {
  return (value, path, mistakes) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject && !isAbsent(value)) {
      const into: Mistake[] = [];
      return note(mistakes, path, 'must be keys with values', 'Write "key: value" lines.', read({}, into));
    }
    return read(isObject ? value : {}, mistakes);

    function read(from: Record<string, Json>, into: Mistake[]): T {
      const entries = Object.entries(rules).map(([key, rule]) => {
        const part = Object.hasOwn(from, key) ? from[key] : undefined;
        return [key, (rule as Rule<Json>)(part, [...path, key], into)];
      });
      return Object.fromEntries(entries) as T;
    }
  };
}

function note<T>(mistakes: Mistake[], path: Path, problem: string, fix: string, instead: T): T {
  mistakes.push({ path, message: `${jsonPath(path).slice(2)} ${problem}`, fix });
  return instead;
}
