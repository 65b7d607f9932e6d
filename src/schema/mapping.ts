import { nearest } from '../errors/nearest.ts';
import { jsonPath, quoted } from './problem.ts';
import type { Mistake, Path, Rule } from './rule.ts';
import type { Json } from './value.ts';

/** The key itself is wrong, not what stands behind it. */
interface KeyMistake extends Mistake {
  atKey: true;
}

type Shape = Record<string, Json>;
type Rules = Readonly<Record<string, Rule<Json>>>;
type Read<R extends Rules> = { -readonly [K in keyof R]: ReturnType<R[K]> };

const isAbsent = (value: Json | undefined): value is null | undefined =>
  value === undefined || value === null;

const isMapping = (value: Json | undefined): value is Shape =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys that are always in what is read, keys that are when somebody wrote them, and no others: a typo is an error. */
export function keys<A extends Rules>(always: A): Rule<Read<A>>;
export function keys<A extends Rules, M extends Rules>(always: A, maybe: M): Rule<Read<A> & Partial<Read<M>>>;
export function keys(always: Rules, maybe: Rules = {}): Rule<Shape> {
  const known = [...Object.keys(always), ...Object.keys(maybe)];
  return (value, path, mistakes) => {
    const from = mappingIn(value, path, mistakes);
    for (const key of Object.keys(from)) if (!known.includes(key)) unknown(key, path, known, mistakes);
    const part = (key: string) => (Object.hasOwn(from, key) ? from[key] : undefined);
    const read = ([key, rule]: [string, Rule<Json>]) => [key, rule(part(key), [...path, key], mistakes)];
    const written = Object.entries(maybe).filter(([key]) => !isAbsent(part(key)));
    return Object.fromEntries([...Object.entries(always), ...written].map(read)) as Shape;
  };
}

/** Keys that somebody chose, each with a value of the same kind. */
export function record<T extends Json>(
  rule: Rule<T>,
  isKey: (key: string) => boolean,
  fix: string,
): Rule<Record<string, T>> {
  return (value, path, mistakes) => {
    const entries = Object.entries(mappingIn(value, path, mistakes));
    for (const [key] of entries)
      if (!isKey(key)) atKey(mistakes, [...path, key], `${quoted(key)} cannot be a key here`, fix);
    return Object.fromEntries(entries.map(([key, part]) => [key, rule(part, [...path, key], mistakes)]));
  };
}

/** The rule, and that nothing speaks against what it read. */
export function unless<T extends Json>(
  rule: Rule<T>,
  against: (value: T) => string | undefined,
  fix: string,
): Rule<T> {
  return (value, path, mistakes) => {
    const before = mistakes.length;
    const read = rule(value, path, mistakes);
    const problem = mistakes.length > before ? undefined : against(read);
    if (problem !== undefined) mistakes.push({ path, message: `${nameOf(path)} ${problem}`, fix });
    return read;
  };
}

function mappingIn(value: Json | undefined, path: Path, mistakes: Mistake[]): Shape {
  if (isMapping(value)) return value;
  if (!isAbsent(value))
    mistakes.push({
      path,
      message: `${nameOf(path)} must be keys with values`,
      fix: 'Write "key: value" lines.',
    });
  return {};
}

function unknown(key: string, path: Path, known: readonly string[], mistakes: Mistake[]): void {
  const guess = nearest(key, known);
  const hint = guess === undefined ? '' : `Did you mean "${guess}"? `;
  const message = `unknown key ${quoted(nameOf([...path, key]))}`;
  atKey(mistakes, [...path, key], message, `${hint}Allowed here: ${known.join(', ')}.`);
}

function atKey(mistakes: Mistake[], path: Path, message: string, fix: string): void {
  const mistake: KeyMistake = { path, message, fix, atKey: true };
  mistakes.push(mistake);
}

function nameOf(path: Path): string {
  return jsonPath(path).slice(2);
}
