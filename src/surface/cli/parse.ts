import { parseArgs } from 'node:util';
import { globalOptions } from './global-options.ts';
import { commandIn, grammarFor, groupIn, type Grammar } from './grammar.ts';
import type { Command, Group, Option } from './table.ts';
import type * as Usage from './usage.ts';

export interface Globals {
  readonly root: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noColor: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

export interface Args {
  readonly operands: readonly string[];
  /** Values of the options that were given, by name; a flag has none. */
  readonly options: ReadonlyMap<string, readonly string[]>;
  /** Options that a lenient command does not know. */
  readonly unknown: readonly string[];
}

export interface Line {
  readonly globals: Globals;
  readonly command: Command | undefined;
  /** The group that stands alone, without one of its commands. */
  readonly group: Group | undefined;
  readonly args: Args;
}

/** Read without judging, so that an error in the line can be told in the way the line asks for. */
export function peekGlobals(argv: readonly string[]): Globals {
  const end = argv.indexOf('--');
  const given = new Set(end === -1 ? argv : argv.slice(0, end));
  return {
    root: undefined,
    json: given.has('--json'),
    quiet: given.has('--quiet'),
    noColor: given.has('--no-color'),
    help: given.has('--help') || given.has('-h'),
    version: given.has('--version'),
  };
}

/** A line that cannot be understood. The words and hints for it are loaded only when there is one. */
class Wrong extends Error {
  readonly explain: (say: typeof Usage) => Error;

  constructor(explain: (say: typeof Usage) => Error) {
    super('wrong command line');
    this.explain = explain;
  }
}

export async function parseLine(argv: readonly string[]): Promise<Line> {
  const grammar = await grammarFor(argv);
  try {
    return read(argv, grammar);
  } catch (error) {
    throw error instanceof Wrong ? error.explain(await import('./usage.ts')) : error;
  }
}

/** Options may stand anywhere, also before the command: so the options of all commands are known to the scan. */
function read(argv: readonly string[], grammar: Grammar): Line {
  const whole = scan(argv, grammar);
  const rawAt = rawStart(whole, grammar);
  const tokens = rawAt === undefined ? whole : scan(argv.slice(0, rawAt), grammar);
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const command = commandIn(grammar, words);
  const group = words.length === 1 ? groupIn(grammar, words) : undefined;
  if (command === undefined && group === undefined && words[0] !== undefined) {
    const first = tokens.find((token) => token.kind === 'option' && !grammar.options.has(token.name));
    if (first?.kind === 'option')
      throw new Wrong((say) => say.unknownOption(first.rawName, globalOptions, undefined));
    throw new Wrong((say) => say.unknownCommand(words.slice(0, 2)));
  }
  const { options, unknown } = readOptions(tokens, command);
  const globals: Globals = {
    root: options.get('root')?.at(-1),
    json: options.has('json'),
    quiet: options.has('quiet'),
    noColor: options.has('no-color'),
    help: options.has('help'),
    version: options.has('version'),
  };
  const own = command === undefined ? [] : words.slice(command.name.split(' ').length);
  const operands = rawAt === undefined ? own : argv.slice(rawAt);
  if (command !== undefined && !globals.help && !globals.version) checkOperands(command, operands);
  return { globals, command, group, args: { operands, options, unknown } };
}

type Token = ReturnType<typeof scan>[number];

function scan(argv: readonly string[], grammar: Grammar) {
  const options = Object.fromEntries(
    [...grammar.options.values()].map(({ name, short, value }) => {
      const type: 'boolean' | 'string' = value === undefined ? 'boolean' : 'string';
      return [name, { type, ...(short !== undefined && { short }) }];
    }),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** Where the line of another program begins: behind the first word, if that is a command that hands it on. */
function rawStart(tokens: readonly Token[], grammar: Grammar): number | undefined {
  const first = tokens.find((token) => token.kind === 'positional');
  const next = first && tokens.find(({ index }) => index > first.index);
  if (next?.kind !== 'positional' || !commandIn(grammar, [first?.value ?? ''])?.raw) return undefined;
  return next.index;
}

function readOptions(tokens: readonly Token[], command: Command | undefined) {
  const known = [...(command?.options ?? []), ...globalOptions];
  const options = new Map<string, string[]>();
  const unknown: string[] = [];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const long = token.rawName.startsWith('--');
    const option = known.find(({ name, short }) => name === token.name && (long || short !== undefined));
    if (option === undefined) {
      if (command?.lenient !== true)
        throw new Wrong((say) => say.unknownOption(token.rawName, known, command));
      unknown.push(token.rawName);
      continue;
    }
    const values = options.get(option.name) ?? [];
    if (option.value === undefined) {
      if (token.value?.trim() === '') throw new Wrong((say) => say.noValue(option, command));
      if (token.value !== undefined && option.inline === undefined)
        throw new Wrong((say) => say.wrongValue(option, token.value, command));
      if (token.value !== undefined) values.push(token.value);
    } else {
      values.push(...readValue(option, token.value, token.inlineValue === true, command));
    }
    options.set(option.name, values);
  }
  return { options, unknown };
}

function readValue(
  option: Option,
  value: string | undefined,
  inline: boolean,
  command: Command | undefined,
): string[] {
  const rule = option.value;
  if (rule === undefined) return [];
  // An unset variable in a script must not pass for a value, nor the next option.
  if (value === undefined || value.trim() === '') throw new Wrong((say) => say.noValue(option, command));
  const isInteger = rule.kind === 'integer' && /^-?\d{1,15}$/.test(value);
  if (!inline && value.startsWith('-') && value !== '-' && !isInteger)
    throw new Wrong((say) => say.noValue(option, command));
  if (rule.kind === 'integer' && !isInteger) throw new Wrong((say) => say.wrongValue(option, value, command));
  const parts = rule.many === true ? value.split(',').map((part) => part.trim()) : [value];
  const wrong = parts.find((part) => part === '' || (rule.kind === 'oneOf' && !rule.words.includes(part)));
  if (wrong !== undefined) throw new Wrong((say) => say.wrongValue(option, wrong, command));
  return parts;
}

function checkOperands(command: Command, operands: readonly string[]): void {
  const { operand } = command;
  const extra = operands[operand?.max ?? 0];
  if (extra !== undefined) throw new Wrong((say) => say.tooMany(command, extra));
  if (operand === undefined) return;
  if (operands.length < operand.min) throw new Wrong((say) => say.missingOperand(command, operand));
  if (operand.kind !== 'oneOf' || command.raw) return;
  const wrong = operands.find((word) => !operand.words.includes(word));
  if (wrong !== undefined) throw new Wrong((say) => say.wrongValue(operand, wrong, command));
}
