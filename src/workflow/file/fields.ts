import { nearest } from '../../errors/nearest.ts';
import { jsonPath, quoted, shown, type Wrong } from '../../schema/problem.ts';
import type { Json } from '../../task/json.ts';

/** What is wrong with a workflow, in which file and where. An error keeps it from running. */
export interface Problem extends Wrong {
  severity: 'error' | 'warning' | 'note';
  file: string;
}

/** A way into a file's values, such as `steps`, 0, `rules`. */
export type Place = readonly (string | number)[];

/** What speaks against a value, before anybody knows on which line it stands. */
export interface Complaint {
  path: Place;
  message: string;
  fix: string;
  severity?: Problem['severity'];
  /** The key is meant, not what stands behind it. */
  atKey?: true;
}

type More = Pick<Complaint, 'severity' | 'atKey'>;
export type Complain = (path: Place, message: string, fix: string, more?: More) => undefined;

/** A place in a file that is being read, and where to complain about what stands there. */
export class Spot {
  readonly path: Place;
  readonly #mistakes: Complaint[];

  constructor(path: Place, mistakes: Complaint[]) {
    this.path = path;
    this.#mistakes = mistakes;
  }

  below(key: string | number): Spot {
    return new Spot([...this.path, key], this.#mistakes);
  }

  /** The place in words: `steps[1].name`. */
  get name(): string {
    const named = this.path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${part}`)).join('');
    return named === '' ? 'the file' : named.replace(/^\./, '');
  }

  complain(message: string, fix: string, more?: More): void {
    this.#mistakes.push({ path: this.path, message, fix, ...more });
  }

  /** Complains, and reads what stands there as something harmless. */
  instead<T>(value: T, message: string, fix: string): T {
    this.complain(message, fix);
    return value;
  }
}

/** Reads a value into its normal form. What is wrong with it is noted, and something harmless is returned. */
export type Reads<T> = (value: Json | undefined, spot: Spot) => T;

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

export function isMapping(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const keysWanted = ['must be keys with values', 'Write "key: value" lines.'] as const;

/** Keys with values. All that somebody wrote is looked at: a key is read, refused, remarked on or unknown. */
export function mapping<R extends Rules>({
  known,
  older = {},
  refused = {},
  idle = {},
}: Words<R>): Reads<Read<R>> {
  return (value, spot) => {
    const read: Record<string, unknown> = { at: spot.path };
    if (!isMapping(value)) spot.complain(`${spot.name} ${keysWanted[0]}`, keysWanted[1]);
    for (const [key, part] of isMapping(value) ? Object.entries(value) : []) {
      const at = spot.below(key);
      const word = own(older, key) ?? key;
      const rule = own(known, word);
      const said = quoted(key);
      if (rule && (word === key || isAbsent((value as Record<string, Json>)[word]))) {
        if (!isAbsent(part)) read[word] = rule(part, at);
      } else if (rule)
        at.complain(
          `${said} is the older word for ${quoted(word)}, which is there too`,
          'Take one of them out.',
          { atKey: true },
        );
      else if (Object.hasOwn(refused, key))
        at.complain(`not supported: ${said}`, refused[key] ?? '', { atKey: true });
      else if (Object.hasOwn(idle, key))
        at.complain(`${said} has no effect`, idle[key] ?? '', { atKey: true, severity: 'warning' });
      else at.complain(`unknown key ${quoted(at.name)}`, allowed(key, Object.keys(known)), { atKey: true });
    }
    return read as Read<R>;
  };
}

/** The name that was meant, or else what may be written. */
export function meant(name: string, known: readonly string[], otherwise: string): string {
  const guess = nearest(name, known);
  return guess === undefined ? otherwise : `Did you mean "${guess}"?`;
}

function allowed(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  return `${guess === undefined ? '' : `Did you mean "${guess}"? `}Allowed here: ${known.join(', ')}.`;
}

/** All of them, also those that something is wrong with: what refers to one should still find it. */
export function many<T>(rule: Reads<T>, least = 0): Reads<T[]> {
  return (value, spot) => {
    if (!Array.isArray(value) || value.length < least)
      spot.complain(
        `${spot.name} must be a list${least > 0 ? ` of at least ${least}` : ''}`,
        'Begin each item with "- ".',
      );
    return Array.isArray(value) ? value.map((part, at) => rule(part, spot.below(at))) : [];
  };
}

/** One, or a list of them. */
export function oneOrMany<T>(rule: Reads<T>): Reads<T[]> {
  return (value, spot) => (Array.isArray(value) ? many(rule)(value, spot) : [rule(value, spot)]);
}

/** Keys that somebody chose, each with a value of the same kind. */
export function table<T>(rule: Reads<T>): Reads<Record<string, T>> {
  return (value, spot) =>
    isMapping(value)
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, rule(part, spot.below(key))]))
      : spot.instead({}, `${spot.name} ${keysWanted[0]}`, keysWanted[1]);
}

export function own<T>(from: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(from, key) ? from[key] : undefined;
}

/** `key:` without a value says as much as no key at all. */
const isAbsent = (value: Json | undefined): value is null | undefined =>
  value === undefined || value === null;

/** Without a fallback it is required. */
export function text(fallback?: string): Reads<string> {
  return (value, spot) => {
    if (typeof value === 'string' && (value !== '' || fallback !== undefined)) return value;
    if (isAbsent(value) && fallback !== undefined) return fallback;
    if (isAbsent(value) || value === '') return wrong('', spot, 'is required', 'Give it a text.');
    const fix = typeof value === 'object' ? 'Write a text.' : `Put it in quotes: "${value}".`;
    return wrong('', spot, 'must be a text', fix);
  };
}

/** One of some words, or an older word for one of them. The first is what a required one falls back to. */
export function word<W extends string>(
  words: readonly [W, ...W[]],
  older: Readonly<Record<string, W>> = {},
): Reads<W> {
  const list = words.join(', ');
  return (value, spot) => {
    const said = typeof value === 'string' ? value : '';
    const found = words.find((known) => known === said) ?? own(older, said);
    const problem = isAbsent(value) ? 'is required' : `${shown(value)} is not one of ${list}`;
    return found ?? wrong(words[0], spot, problem, `Write one of ${list}.`);
  };
}

export function count(least: number, most: number, fallback: number): Reads<number> {
  const what = `a whole number from ${least} to ${most}`;
  return (value, spot) => {
    if (isAbsent(value)) return fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    return wrong(fallback, spot, `must be ${what}`, `Write ${what}.`);
  };
}

export function yesNo(fallback: boolean): Reads<boolean> {
  return (value, spot) => {
    if (isAbsent(value)) return fallback;
    if (typeof value === 'boolean') return value;
    return wrong(fallback, spot, 'must be true or false', 'Write true or false.');
  };
}

function wrong<T>(instead: T, spot: Spot, problem: string, fix: string): T {
  return spot.instead(instead, `${jsonPath(spot.path).slice(2)} ${problem}`, fix);
}
