import { nearest } from '../../errors/nearest.ts';
import { jsonPath, quoted, shown, type Wrong } from '../../schema/problem.ts';
import type { Json } from '../../task/json.ts';

/** Reads a value into its normal form. What is wrong with it is noted, and something harmless is returned. */
export type Reads<T> = (value: Json | undefined, path: Complaint['path'], mistakes: Complaint[]) => T;

type Rules = Readonly<Record<string, Reads<unknown>>>;
export type Read<R extends Rules> = { -readonly [K in keyof R]?: ReturnType<R[K]> } & { at: Place };

interface Words<R extends Rules> {
  known: R;
  /** Older words, and what they are called now. */
  older?: Readonly<Record<string, Extract<keyof R, string>>>;
  /** Words of other versions that docket knows and cannot do, and what to do instead. */
  refused?: Readonly<Record<string, string>>;
  /** Words without an effect here, and why. */
  idle?: Readonly<Record<string, string>>;
}

/** Keys with values. All that somebody wrote is looked at: a key is read, refused, remarked on or unknown. */
export function mapping<R extends Rules>(words: Words<R>): Reads<Read<R>> {
  const { known, older = {}, refused = {}, idle = {} } = words;
  return (value, path, mistakes) => {
    const read: Record<string, unknown> = { at: [...path] };
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      complain(mistakes, {
        path,
        message: `${nameOf(path)} must be keys with values`,
        fix: 'Write "key: value" lines.',
      });
      return read as Read<R>;
    }
    for (const [key, part] of Object.entries(value)) {
      const at = [...path, key];
      const word = own(older, key) ?? key;
      const rule = own(known, word);
      if (rule === undefined) about(key, at);
      else if (word !== key && !isAbsent(value[word]))
        complain(mistakes, {
          path: at,
          atKey: true,
          message: `${quoted(key)} is the older word for ${quoted(word)}, which is there too`,
          fix: 'Take one of them out.',
        });
      else if (!isAbsent(part)) read[word] = rule(part, at, mistakes);
    }
    return read as Read<R>;

    function about(key: string, at: Place): void {
      const instead = own(refused, key);
      const why = own(idle, key);
      if (instead !== undefined)
        complain(mistakes, { path: at, atKey: true, message: `not supported: ${quoted(key)}`, fix: instead });
      else if (why !== undefined)
        complain(mistakes, {
          path: at,
          atKey: true,
          severity: 'warning',
          message: `${quoted(key)} has no effect`,
          fix: why,
        });
      else complain(mistakes, unknownKey(key, at, Object.keys(known)));
    }
  };
}

/** All of them, also those that something is wrong with: what refers to one should still find it. */
export function many<T>(rule: Reads<T>, least = 0): Reads<T[]> {
  return (value, path, mistakes) => {
    if (!Array.isArray(value) || value.length < least) {
      const fix = 'Begin each item with "- ".';
      complain(mistakes, {
        path,
        message: `${nameOf(path)} must be a list${least > 0 ? ` of at least ${least}` : ''}`,
        fix,
      });
    }
    return Array.isArray(value) ? value.map((part, at) => rule(part, [...path, at], mistakes)) : [];
  };
}

/** One, or a list of them. */
export function oneOrMany<T>(rule: Reads<T>): Reads<T[]> {
  return (value, path, mistakes) =>
    Array.isArray(value) ? many(rule)(value, path, mistakes) : [rule(value, path, mistakes)];
}

/** Keys that somebody chose, each with a value of the same kind. */
export function table<T>(rule: Reads<T>): Reads<Record<string, T>> {
  return (value, path, mistakes) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, rule(part, [...path, key], mistakes)]),
      );
    complain(mistakes, {
      path,
      message: `${nameOf(path)} must be keys with values`,
      fix: 'Write "key: value" lines.',
    });
    return {};
  };
}

export function complain(mistakes: Complaint[], complaint: Complaint): void {
  mistakes.push(complaint);
}

export function nameOf(path: readonly (string | number)[]): string {
  const named = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${part}`)).join('');
  return named === '' ? 'the file' : named.replace(/^\./, '');
}

export function own<T>(from: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(from, key) ? from[key] : undefined;
}

function unknownKey(key: string, path: Place, known: readonly string[]): Complaint {
  const guess = nearest(key, known);
  const hint = guess === undefined ? '' : `Did you mean "${guess}"? `;
  const message = `unknown key ${quoted(nameOf(path))}`;
  return { path, atKey: true, message, fix: `${hint}Allowed here: ${known.join(', ')}.` };
}

/** `key:` without a value says as much as no key at all. */
const isAbsent = (value: Json | undefined): value is null | undefined =>
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

/** What is wrong with a workflow, in which file and where. An error keeps it from running. */
export interface Problem extends Wrong {
  severity: 'error' | 'warning' | 'note';
  file: string;
}

/** A way into a file's values, such as `steps`, 0, `rules`. */
export type Place = (string | number)[];

/** What speaks against a value, before anybody knows on which line it stands. */
export interface Complaint {
  path: readonly (string | number)[];
  message: string;
  fix: string;
  severity?: Problem['severity'];
  /** The key is meant, not what stands behind it. */
  atKey?: true;
}
