import { parseArgs } from 'node:util';
import type { Command, Option } from './command.ts';
import { entryFor, loadCommand, loadCommands, membersOf } from './commands.ts';
import { globalOptions } from './options.ts';
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
  /** The first word of commands that stands alone, without one of them. */
  readonly group: string | undefined;
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
  try {
    return await read(argv);
  } catch (error) {
    throw error instanceof Wrong ? error.explain(await import('./usage.ts')) : error;
  }
}

async function read(argv: readonly string[]): Promise<Line> {
  const { command, tokens, rawAt } = await recognize(argv);
  const words = wordsOf(tokens);
  const [first] = words;
  const isGroup = words.length === 1 && command === undefined && membersOf(first ?? '').length > 0;
  if (command === undefined && !isGroup && first !== undefined) {
    const option = await firstUnknown(tokens);
    if (option !== undefined) throw new Wrong((say) => say.unknownOption(option, globalOptions, undefined));
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
  return { globals, command, group: isGroup ? first : undefined, args: { operands, options, unknown } };
}

/** Finds the command of a line by its first words, and reads the line with the options of that command. */
export async function recognize(argv: readonly string[]) {
  const plain = firstWords(scan(argv, globalOptions));
  const entry = entryFor(plain ?? wordsOf(scan(argv, await everyOption())));
  const command = entry && (await loadCommand(entry));
  const needsAll = plain === undefined || command?.lenient === true;
  const options = needsAll ? await everyOption() : [...(command?.options ?? []), ...globalOptions];
  const tokens = scan(argv, options);
  const rawAt = command?.raw ? rawStart(tokens) : undefined;
  return { command, rawAt, tokens: rawAt === undefined ? tokens : scan(argv.slice(0, rawAt), options) };
}

/** Undefined where a command's own option stands before them: whether that takes the next word, its command has to say. */
function firstWords(tokens: readonly Token[]): string[] | undefined {
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option' && !isGlobal(token.name)) return undefined;
    if (token.kind === 'positional') words.push(token.value);
    if (words.length === 2 || (words.length === 1 && membersOf(words[0] ?? '').length === 0)) break;
  }
  return words;
}

function isGlobal(option: string): boolean {
  return globalOptions.some(({ name }) => name === option);
}

async function everyOption(): Promise<Option[]> {
  return [...(await loadCommands()).flatMap(({ options }) => options), ...globalOptions];
}

/** The first option that no command has. */
async function firstUnknown(tokens: readonly Token[]): Promise<string | undefined> {
  const own = tokens.flatMap((token) => (token.kind === 'option' && !isGlobal(token.name) ? [token] : []));
  const known = own.length > 0 ? new Set((await everyOption()).map(({ name }) => name)) : undefined;
  return own.find(({ name }) => !known?.has(name))?.rawName;
}

export function wordsOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
}

export type Token = ReturnType<typeof scan>[number];

function scan(argv: readonly string[], known: readonly Option[]) {
  const options = Object.fromEntries(
    known.map(({ name, short, value }) => {
      const type: 'boolean' | 'string' = value === undefined ? 'boolean' : 'string';
      return [name, { type, ...(short !== undefined && { short }) }];
    }),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** Where the line of another program begins: behind the command that hands it on. */
function rawStart(tokens: readonly Token[]): number | undefined {
  const first = tokens.find((token) => token.kind === 'positional');
  const next = first && tokens.find(({ index }) => index > first.index);
  return next?.kind === 'positional' ? next.index : undefined;
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
