import * as v from 'valibot';
import { nearest } from '../errors/nearest.ts';
import { choicesOf, hintsOf, keySchemasAt, keysOf, pipeOf, schemasAt } from './inside.ts';
import { same } from './json.ts';
import { jsonPath, quoted, shown } from './problem.ts';
import { type Schema, isOptional } from './schemas.ts';

/** What is wrong with a value that may have one of these schemas, without its name. */
function problemIn(choices: readonly Schema[], { input, type, requirement }: v.BaseIssue<unknown>): string {
  if (typeof input === 'string' || Array.isArray(input)) {
    const size = `${String(requirement)} ${typeof input === 'string' ? 'characters' : 'items'}`;
    if (type === 'non_empty' || (type === 'min_length' && input.length === 0)) return 'is empty';
    if (type === 'min_length') return `has fewer than ${size}`;
    if (type === 'max_length') return `has more than ${size}`;
  }
  const words = wordsIn(choices);
  if (words.length > 1 && kindsOf(choices).length === 1)
    return `${shown(input)} is not one of ${words.join(', ')}`;
  if (typeof input === 'string' && choices.some((choice) => choice.type === 'string'))
    return `${shown(input)} is not allowed`;
  return `must be ${nounFor(choices)}`;
}

/** What to write instead, where the schema has no better advice. */
function fixFor(choices: readonly Schema[], input: unknown): string {
  const [kind, ...others] = kindsOf(choices);
  if (others.length > 0 || kind === undefined) return `Write ${nounFor(choices)}.`;
  if (kind === 'a text' && (input === undefined || input === null || input === '')) return 'Give it a text.';
  if (kind === 'a text' && (typeof input === 'number' || typeof input === 'boolean'))
    return `Put it in quotes: "${input}".`;
  if (kind === 'a list') return 'Write a list, such as ["a"].';
  if (kind === 'keys with values') return 'Write keys, each with its value.';
  return `Write ${nounFor(choices)}.`;
}

function nounFor(choices: readonly Schema[]): string {
  const words = wordsIn(choices);
  const ofWords = words.length === 1 ? words.join('') : `one of ${words.join(', ')}`;
  return kindsOf(choices)
    .map((kind) => (kind === 'words' ? ofWords : kind))
    .join(' or ');
}

function kindsOf(choices: readonly Schema[]): string[] {
  return [...new Set(choices.map(kindOf))];
}

function kindOf(schema: Schema): string {
  if (schema.type === 'string') return 'a text';
  if (schema.type === 'number') return numberIn(schema);
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'picklist' || schema.type === 'literal') return 'words';
  if (schema.type === 'null') return 'null';
  return schema.type === 'array' || schema.type.endsWith('tuple') ? 'a list' : 'keys with values';
}

/** The words that a value may be one of. */
function wordsIn(choices: readonly Schema[]): string[] {
  return choices.flatMap((choice) => {
    if ('options' in choice && choice.type === 'picklist') return (choice.options as unknown[]).map(String);
    const isWord = 'literal' in choice && typeof choice.literal !== 'boolean';
    return isWord ? [String(choice.literal)] : [];
  });
}

/** With the bounds that the schema sets. */
function numberIn(schema: Schema): string {
  const parts = pipeOf(schema) as { type: string; requirement?: number }[];
  const bound = (type: string) => parts.find((part) => part.type === type)?.requirement;
  const what = parts.some(({ type }) => type === 'integer') ? 'a whole number' : 'a number';
  const [least, most, above] = [bound('min_value'), bound('max_value'), bound('gt_value')];
  if (above !== undefined) return `${what} above ${above}`;
  if (least === undefined) return most === undefined ? what : `${what} of at most ${most}`;
  return most === undefined ? `${what} of at least ${least}` : `${what} from ${least} to ${most}`;
}

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
