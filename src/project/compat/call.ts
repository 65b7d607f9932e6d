import path from 'node:path';
import type { Clock } from '../../io/clock.ts';
import { asciiJson } from '../../schema/json.ts';
import type { Project } from '../../settings/project.ts';

/** A call of one of the original's scripts. */
export interface Call {
  values: Values;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  stdin: () => Promise<string>;
  warn: (warning: string) => void;
  signal: AbortSignal;
}

/** What a script prints, and how it ends. JSON stands on one line. */
export type Printed = { code: number; stderr?: string } & ({ json: unknown } | { text: string });

export function given({ values }: Pick<Call, 'values'>, name: string): string {
  return values[name] ?? '';
}

export function has({ values }: Pick<Call, 'values'>, name: string): boolean {
  return values[name] === 'true';
}

export function wholeOf(call: Pick<Call, 'values'>, name: string): number {
  return Number(given(call, name));
}

export function whereOf(call: Call): Project {
  const { cwd, env, clock, warn } = call;
  return { root: path.resolve(cwd, given(call, 'root')), env, clock, warn };
}

/** The exit code follows the answer. */
export function answered(json: { ok: boolean } & Record<string, unknown>): Printed {
  return { json, code: json.ok ? 0 : 1 };
}

/** JSON on one line as the original prints it: a space behind every comma and colon, ASCII only. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return asciiJson(JSON.stringify(value ?? null));
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${entries.map(([key, part]) => `${pythonJson(key)}: ${pythonJson(part)}`).join(', ')}}`;
}

type Values = Readonly<Record<string, string>>;

interface Flag {
  readonly name: string;
  readonly needed: boolean;
  readonly initial?: string;
  /** `integer`, or the words that it may be. */
  readonly type?: string;
  /** It stands alone, and gives a value to a name. `alone`: no other flag may give that name another one. */
  readonly sets?: { readonly name: string; readonly to: string; readonly alone: boolean };
}

/**
 * What a script takes: `--a!` is required, `--a=x` has a default (`--a`: none), `--a:integer=3` is a number and
 * `--a:x|y=x` a choice. `--a?` stands alone, as does `--a?b=x`, which sets b; with `^` for `?` nothing else may set b.
 */
function flagsIn(takes: string): Flag[] {
  return takes.split(' ').map((word) => {
    const [, name = '', mark = '', to = '', type, initial = ''] =
      /^--([\w-]+)(?:([!?^])([\w-]+=[\w-]+)?|(?::([\w|-]+))?(?:=([\w-]+))?)$/.exec(word) ?? [];
    if (mark === '!') return { name, needed: true };
    if (mark === '') return { name, needed: false, initial, ...(type !== undefined && { type }) };
    const [set = name, value = 'true'] = to === '' ? [] : to.split('=');
    return { name, needed: false, sets: { name: set, to: value, alone: mark === '^' } };
  });
}

/** A line that the original would refuse too: the words of its parser, without its name. */
export class WrongFlags extends Error {}

/** `--a b` and `--a=b`; what is unknown, missing or none of the choices is refused. The last value of a flag counts. */
export function parseFlags(takes: string, argv: readonly string[]): Values {
  const flags = flagsIn(takes);
  const values: Record<string, string> = {};
  for (const { name, initial } of flags) if (initial !== undefined) values[name] = initial;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const flag = flags.find((one) => `--${one.name}` === name);
    if (!flag) throw new WrongFlags(`unknown argument: ${word}`);
    if (flag.sets) {
      const { name: set, to, alone } = flag.sets;
      if (equals >= 0) throw new WrongFlags(`argument ${name}: ignored explicit argument`);
      if (alone && (values[set] ?? to) !== to)
        throw new WrongFlags(`argument ${name}: not allowed with argument --${values[set]}`);
      values[set] = to;
      continue;
    }
    const next = equals < 0 ? argv[(at += 1)] : word.slice(equals + 1);
    // A variable that is not set must not swallow the flag behind it.
    if (next === undefined || (equals < 0 && flags.some((one) => next === `--${one.name}`)))
      throw new WrongFlags(`argument ${name}: expected one argument`);
    values[flag.name] = checked(flag, next);
  }
  const missing = flags.filter(({ name, needed }) => needed && (values[name] ?? '') === '');
  if (missing.length === 0) return values;
  const names = missing.map(({ name }) => `--${name}`).join(', ');
  throw new WrongFlags(`the following arguments are required: ${names}`);
}

/** What a script can be called with, made from what it takes. */
export function usageOf(entry: string, takes: string): string {
  const words = flagsIn(takes).map(({ name, needed, sets, type = 'text' }) => {
    const shown = sets ? `--${name}` : `--${name} <${type}>`;
    return needed ? shown : `[${shown}]`;
  });
  return `usage: ${entry} ${words.join(' ')}`;
}

function checked({ name, type }: Flag, value: string): string {
  const oneOf = type?.split('|') ?? [];
  if (type === 'integer') {
    if (!/^-?\d{1,12}$/.test(value)) throw new WrongFlags(`argument --${name}: invalid int value: ${value}`);
  } else if (type !== undefined && !oneOf.includes(value))
    throw new WrongFlags(`argument --${name}: invalid choice: ${value} (choose from ${oneOf.join(', ')})`);
  return value;
}
