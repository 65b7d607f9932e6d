/** A flag of one of the original's scripts, under its own name. */
export interface Flag {
  readonly name: string;
  /** Absent: a text follows it. `sets`: it stands alone, and gives a value to a name. */
  readonly type?: 'integer' | { readonly sets: string; readonly to: string };
  readonly oneOf?: readonly string[];
  readonly needed?: true;
  readonly initial?: string;
}

/** What a script takes. Flags that set the same name exclude each other where `exclusive` has that name. */
export interface Spec {
  readonly flags: readonly Flag[];
  readonly exclusive?: string;
}

export type Values = Readonly<Record<string, string>>;

/** A line that the original would refuse too: the words of its parser, without its name. */
export class WrongFlags extends Error {}

/** `--a b` and `--a=b`; what is unknown, missing or none of the choices is refused. The last value of a flag counts. */
export function parseFlags({ flags, exclusive }: Spec, argv: readonly string[]): Values {
  const values: Record<string, string> = {};
  for (const { name, initial } of flags) if (initial !== undefined) values[name] = initial;
  const given = new Map<string, string>();
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const flag = flags.find((one) => `--${one.name}` === name);
    if (!flag) throw new WrongFlags(`unknown argument: ${word}`);
    if (typeof flag.type === 'object') {
      const { sets, to } = flag.type;
      if (equals >= 0) throw new WrongFlags(`argument ${name}: ignored explicit argument`);
      if (sets === exclusive && (given.get(sets) ?? to) !== to)
        throw new WrongFlags(`argument ${name}: not allowed with argument --${given.get(sets)}`);
      given.set(sets, to);
      values[sets] = to;
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
export function usageOf(entry: string, { flags }: Spec): string {
  const words = flags.map((flag) => (flag.needed ? shown(flag) : `[${shown(flag)}]`));
  return `usage: ${entry} ${words.join(' ')}`;
}

function shown({ name, type, oneOf }: Flag): string {
  if (typeof type === 'object') return `--${name}`;
  return `--${name} <${oneOf?.join('|') ?? type ?? 'text'}>`;
}

function checked({ name, type, oneOf }: Flag, value: string): string {
  if (oneOf && !oneOf.includes(value))
    throw new WrongFlags(`argument --${name}: invalid choice: ${value} (choose from ${oneOf.join(', ')})`);
  if (type === 'integer' && !/^-?\d{1,12}$/.test(value))
    throw new WrongFlags(`argument --${name}: invalid int value: ${value}`);
  return value;
}
