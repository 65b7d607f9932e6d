import { DocketError } from '../../../errors.ts';
import type { Command, Definition, Group } from '../command.ts';
import { entryFor, loadCommand, loadCommands, membersOf } from '../commands.ts';
import type { Context } from '../context.ts';
import { exitCodeHelp, exitCodes } from '../exit-codes.ts';
import { groups } from '../groups.ts';
import { commandHelp, groupHelp, overview, usageLine } from '../help.ts';
import { globalOptions } from '../options.ts';
import { unknownCommand } from '../usage.ts';

export const command: Definition = {
  operand: { kind: 'command', label: '[command]', min: 0, max: 2 },
  options: [],
  examples: ['docket help add', 'docket help exit-codes', 'docket help errors', 'docket help NOT_FOUND'],
  run,
};

async function run(context: Context): Promise<number> {
  const { operands } = context.args;
  const [first = ''] = operands;
  if (operands.length === 0) return print(context, overview(), everything);
  if (first === 'exit-codes') return print(context, exitCodeHelp(), () => ({ exitCodes }));
  if (operands.length === 1 && /^(?:errors|[A-Z_]+)$/.test(first)) {
    const told = (await import('../error-help.ts')).errorHelp(first);
    if (told) return print(context, told.text, () => ({ errors: told.errors }));
  }
  const entry = entryFor(operands);
  if (entry) return printCommand(context, await loadCommand(entry));
  const group = operands.length === 1 ? helpFor(first) : undefined;
  if (group === undefined) throw unknownCommand(operands);
  return printGroup(context, group);
}

export function helpFor(name: string): Group | undefined {
  return groups.find((group) => group.name === name);
}

/** `--help`, and what a line without a command gets: the same screen, but as an error. */
export async function showHelp(context: Context, about: Command | Group | undefined): Promise<number> {
  const { globals, out } = context;
  if (about !== undefined && 'run' in about) return printCommand(context, about);
  if (globals.help)
    return about === undefined ? print(context, overview(), everything) : printGroup(context, about);
  const line = about === undefined ? 'docket' : `docket ${about.name}`;
  if (globals.json) throw new DocketError('USAGE', 'no command was given', `see ${line} --help`);
  out.alarm(about === undefined ? overview() : groupHelp(about));
  return 2;
}

function printCommand(context: Context, about: Command): Promise<number> {
  return print(context, commandHelp(about), () => ({ command: asData(about) }));
}

function printGroup(context: Context, group: Group): Promise<number> {
  const members = async () => (await loadCommands(membersOf(group.name))).map(asData);
  return print(context, groupHelp(group), async () => ({ group, commands: await members() }));
}

type Data = Record<string, unknown>;

async function print({ globals, out }: Context, text: string, data: () => Data | Promise<Data>) {
  if (globals.json) out.answer(await data());
  else out.data(text);
  return 0;
}

async function everything(): Promise<Data> {
  return { commands: (await loadCommands()).map(asData), options: globalOptions, exitCodes };
}

function asData(about: Command): Data {
  const { name, group, summary, options, examples, notes = [] } = about;
  return { name, group, summary, usage: usageLine(about), options, notes, examples };
}
