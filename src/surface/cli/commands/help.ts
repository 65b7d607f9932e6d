import { DocketError } from '../../../errors.ts';
import type { Context } from '../context.ts';
import { exitCodeHelp, exitCodes } from '../exit-codes.ts';
import { commandHelp, groupHelp, membersOf, overview, usageLine } from '../help.ts';
import { commands, globalOptions, type Command, type Group } from '../table.ts';
import { unknownCommand } from '../usage.ts';
import { findCommand, findGroup } from '../whole-grammar.ts';

export async function run(context: Context): Promise<number> {
  const { operands } = context.args;
  const { globals, out } = context;
  if (operands.length === 0) return print(context, overview(commands), everything);
  if (operands[0] === 'exit-codes') {
    if (globals.json) out.answer({ exitCodes });
    else out.data(exitCodeHelp());
    return 0;
  }
  if (operands.length === 1 && /^(?:errors|[A-Z_]+)$/.test(operands[0] ?? '')) {
    const told = (await import('../error-help.ts')).errorHelp(operands[0] ?? '');
    if (told) return print(context, told.text, () => ({ errors: told.errors }));
  }
  const about = findCommand(operands) ?? (operands.length === 1 ? findGroup(operands) : undefined);
  if (about === undefined) throw unknownCommand(operands);
  if ('load' in about) return showHelp(context, about);
  return printGroup(context, about);
}

/** `--help`, and what a line without a command gets: the same screen, but as an error. */
export function showHelp(context: Context, about: Command | Group | undefined): number {
  const { globals, out } = context;
  if (about !== undefined && 'load' in about)
    return print(context, commandHelp(about), () => ({ command: asData(about) }));
  if (globals.help)
    return about === undefined ? print(context, overview(commands), everything) : printGroup(context, about);
  const line = about === undefined ? 'docket' : `docket ${about.name}`;
  if (globals.json) throw new DocketError('USAGE', 'no command was given', `see ${line} --help`);
  out.alarm(about === undefined ? overview(commands) : groupHelp(about));
  return 2;
}

function printGroup(context: Context, group: Group): number {
  const data = () => ({ group, commands: membersOf(group.name).map(asData) });
  return print(context, groupHelp(group), data);
}

function print({ globals, out }: Context, text: string, data: () => Record<string, unknown>): number {
  if (globals.json) out.answer(data());
  else out.data(text);
  return 0;
}

function everything(): Record<string, unknown> {
  return { commands: commands.map(asData), options: globalOptions, exitCodes };
}

function asData(command: Command): Record<string, unknown> {
  const { name, group, summary, options, examples, notes = [] } = command;
  return { name, group, summary, usage: usageLine(command), options, notes, examples };
}
