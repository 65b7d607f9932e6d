import * as v from 'valibot';
import { nearest } from '../errors/nearest.ts';
import { choicesOf, hintsOf, keysOf, keySchemasAt, schemasAt } from './inside.ts';
import { jsonPath, quoted } from './problem.ts';
import { same } from './same.ts';
import { isOptional, type Schema } from './schemas.ts';
import { fixFor, problemIn, wordsIn } from './sentences.ts';

export type Path = readonly (string | number)[];

/** What is wrong with a value, where it stands, and what to do about it. */
export interface Mistake {
  path: Path;
  /** With the name of the value; `problem` goes without. */
  message: string;
  problem: string;
  fix: string;
  /** The key itself is wrong, not what stands behind it. */
  atKey?: true;
}

/** A broken file of a million keys is told in a few. */
const mostKeys = 20;

type Issue = v.BaseIssue<unknown>;

/** The value as the schema makes it, or all that is wrong with it. */
export function check<S extends Schema>(
  schema: S,
  value: unknown,
): { value: v.InferOutput<S> } | { mistakes: Mistake[]; partial: unknown } {
  // Without a message of its own an issue gets its sentence here.
  const checked = v.safeParse(schema, value, { abortPipeEarly: true, message: '' });
  if (checked.success) return { value: checked.output };
  const mistakes = checked.issues.flatMap((issue) => mistakesOf(schema, issue, []));
  return { mistakes, partial: without(checked.output, mistakes) };
}

/** What could be read for all that: a mistake leaves nothing behind. */
function without(output: unknown, mistakes: readonly Pick<Mistake, 'path'>[]): unknown {
  for (const { path } of mistakes.toReversed()) {
    let place = output;
    for (const key of path.slice(0, -1)) place = (place as Record<string, unknown> | undefined)?.[key];
    const last = path.at(-1);
    if (Array.isArray(place)) place.splice(Number(last), 1);
    else if (typeof place === 'object' && place !== null) Reflect.deleteProperty(place, String(last));
  }
  return output;
}

/** The value as far as it makes sense: what is wrong is left out, of a list the whole item; `blank` has what must be there. */
export function salvage<S extends Schema>(schema: S, value: object, blank: object = {}): v.InferOutput<S> {
  const checked = check(schema, value);
  if ('value' in checked) return checked.value;
  const wrong = checked.mistakes.map(({ path }) => {
    const item = path.findIndex((key) => typeof key === 'number');
    return item === -1 ? path : path.slice(0, item + 1);
  });
  const once = wrong.filter((path, at) => wrong.findIndex((other) => same([...other], [...path])) === at);
  const left = without(
    structuredClone(value),
    once.map((path) => ({ path })),
  ) as object;
  return v.parse(schema, { ...blank, ...left });
}

function mistakesOf(schema: Schema, issue: Issue, above: Path): Mistake[] {
  const path = [...above, ...(issue.path ?? []).map(({ key }) => key as string | number)];
  const meant = meantBy(issue.issues ?? []);
  if (meant.length > 0) return meant.flatMap((inner) => mistakesOf(schema, inner, path));
  const last = issue.path?.at(-1);
  const isKey = last !== undefined && 'origin' in last && last.origin === 'key';
  if (issue.expected === 'never' && issue.type === 'strict_object') {
    const known = schemasAt(schema, path.slice(0, -1)).flatMap(keysOf);
    const all = Object.keys(last?.input as object).filter((key) => !known.includes(key));
    return all.slice(0, mostKeys).map((key) => unknownKey([...path.slice(0, -1), key], known));
  }
  if (isKey && issue.input !== undefined) return [wrongKey(keySchemasAt(schema, path), path, issue)];
  return [valueMistake(schemasAt(schema, path), issue, path)];
}

/** Of a union's options those that the value comes near: what is wrong inside of it, or with a value of the right type. */
function meantBy(issues: readonly Issue[]): readonly Issue[] {
  const inside = issues.filter(({ path }) => path !== undefined);
  return inside.length > 0 ? inside : issues.filter(({ kind }) => kind === 'validation');
}

function unknownKey(path: Path, known: readonly string[]): Mistake {
  const guess = nearest(String(path.at(-1)), known);
  const fix = guess === undefined ? `Allowed here: ${known.join(', ')}.` : `Did you mean "${guess}"?`;
  const problem = `unknown key ${quoted(String(path.at(-1)))}`;
  return { path, problem, message: `unknown key ${quoted(nameOf(path))}`, fix, atKey: true };
}

function wrongKey(schemas: readonly Schema[], path: Path, issue: Issue): Mistake {
  const words = wordsIn(schemas.flatMap(choicesOf));
  if (words.length > 0) return unknownKey(path, words);
  const key = quoted(String(path.at(-1)));
  const problem = `${key} ${issue.message === '' ? 'cannot be a key here' : issue.message}`;
  const fix = schemas.map(hintsOf)[0]?.fix ?? 'Give it another name.';
  return { path, problem, message: problem, fix, atKey: true };
}

function valueMistake(schemas: readonly Schema[], issue: Issue, path: Path): Mistake {
  const { input } = issue;
  const { fix, line } = Object.assign({}, ...schemas.map(hintsOf)) as ReturnType<typeof hintsOf>;
  const choices = schemas.flatMap(choicesOf);
  const mistake = (problem: string, advice: string) => {
    return { path, problem, message: `${nameOf(path)} ${problem}`, fix: advice };
  };
  const isMissing = input === undefined || (input === null && !schemas.some(isOptional));
  if (isMissing && path.length > 0) {
    const under = path.length > 1 ? ` under \`${nameOf(path.slice(0, -1))}:\`` : '';
    const add = line === undefined ? undefined : `Add \`${line}\`${under}.`;
    return mistake('is required', add ?? fix ?? fixFor(choices, input));
  }
  const problem = issue.message === '' ? problemIn(choices, issue) : issue.message;
  return mistake(problem, fix ?? fixFor(choices, input));
}

const nameOf = (path: Path): string => jsonPath(path).replace(/^\$\.?/, '') || 'it';
