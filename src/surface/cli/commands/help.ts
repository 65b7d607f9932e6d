import { DocketError } from '../../../errors.ts';
import type { Context } from '../context.ts';
import { exitCodeHelp, exitCodes } from '../exit-codes.ts';
import { commandHelp, overview, usageLine } from '../help.ts';
import { findCommand } from '../parse.ts';
import { commands, globalOptions, type Command } from '../table.ts';
import { unknownCommand } from '../usage.ts';

export async function run(context: Context): Promise<number> {
  const { operands } = context.args;
  const { globals, out } = context;
  if (operands.length === 0) return print(context, overview(commands), everything);
  if (operands[0] === 'exit-codes') {
    if (globals.json) out.answer({ exitCodes });
    else out.data(exitCodeHelp());
    return 0;
  }
  const command = findCommand(operands);
  if (command === undefined) throw unknownCommand(operands);
  return showHelp(context, command);
}

/** `--help`, and what a line without a command gets: the same screen, but as an error. */
export function showHelp(context: Context, command: Command | undefined): number {
  if (command !== undefined)
    return print(context, commandHelp(command), () => ({ command: asData(command) }));
  if (context.globals.help) return print(context, overview(commands), everything);
  if (context.globals.json) throw new DocketError('USAGE', 'no command was given', 'see docket --help');
  context.out.alarm(overview(commands));
  return 2;
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
