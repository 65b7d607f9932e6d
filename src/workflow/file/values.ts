import { jsonPath, shown } from '../../schema/problem.ts';
import type { Json } from '../../task/json.ts';
import type { Reads } from './fields.ts';
import type { Complaint } from './problem.ts';

/** `key:` without a value says as much as no key at all. */
export const isAbsent = (value: Json | undefined): value is null | undefined =>
  value === undefined || value === null;

/** Without a fallback it is required. */
export function text(fallback?: string): Reads<string> {
  return (value, path, mistakes) => {
    if (typeof value === 'string' && (value !== '' || fallback !== undefined)) return value;
    if (isAbsent(value) && fallback !== undefined) return fallback;
    if (isAbsent(value) || value === '') return note(mistakes, path, 'is required', 'Give it a text.', '');
    const fix = typeof value === 'object' ? 'Write a text.' : `Put it in quotes: "${value}".`;
    return note(mistakes, path, 'must be a text', fix, '');
  };
}

/** One of some words, or an older word for one of them. The first is what a required one falls back to. */
export function word<W extends string>(
  words: readonly [W, ...W[]],
  older: Readonly<Record<string, W>> = {},
): Reads<W> {
  const fix = `Write one of ${words.join(', ')}.`;
  return (value, path, mistakes) => {
    if (isAbsent(value)) return note(mistakes, path, 'is required', fix, words[0]);
    const found = words.find((known) => known === value);
    if (found !== undefined) return found;
    const meant = typeof value === 'string' && Object.hasOwn(older, value) ? older[value] : undefined;
    return meant ?? note(mistakes, path, `${shown(value)} is not one of ${words.join(', ')}`, fix, words[0]);
  };
}

export function count(least: number, most: number, fallback: number): Reads<number> {
  const what = `a whole number from ${least} to ${most}`;
  return (value, path, mistakes) => {
    if (isAbsent(value)) return fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    return note(mistakes, path, `must be ${what}`, `Write ${what}.`, fallback);
  };
}

export function yesNo(fallback: boolean): Reads<boolean> {
  return (value, path, mistakes) => {
    if (isAbsent(value)) return fallback;
    if (typeof value === 'boolean') return value;
    return note(mistakes, path, 'must be true or false', 'Write true or false.', fallback);
  };
}

function note<T>(
  mistakes: Complaint[],
  path: Complaint['path'],
  problem: string,
  fix: string,
  instead: T,
): T {
  mistakes.push({ path, message: `${jsonPath(path).slice(2)} ${problem}`, fix });
  return instead;
}
