import * as v from 'valibot';
import { DocketError } from '../../../errors.ts';
import type { Command, Definition, Group } from '../frame/command.ts';
import { entryFor, loadCommand, loadCommands, membersOf } from '../frame/commands.ts';
import type { Context } from '../frame/context.ts';
import { exitCodeHelp, exitCodes } from '../frame/exit-codes.ts';
import { groups } from '../frame/groups.ts';
import { commandHelp, everyCommand, groupHelp, overview, usageLine } from '../frame/help.ts';
import * as json from '../frame/json.ts';
import { globalOptions } from '../frame/options.ts';
import { unknownCommand } from '../frame/usage.ts';

const wordsShape = json.described(
  v.looseObject({ kind: json.text, label: json.text }),
  'What may stand there.',
);
const optionShape = v.strictObject({
  name: json.text,
  short: json.maybe(json.text),
  summary: json.text,
  value: json.maybe(wordsShape, 'Absent for a flag.'),
  inline: json.maybe(v.strictObject({ label: json.text })),
});
const commandShape = json.named(
  'command',
  v.strictObject({
    name: json.text,
    group: json.text,
    summary: json.text,
    usage: json.text,
    options: v.array(optionShape),
    notes: json.texts,
    examples: json.texts,
  }),
);
const groupShape = v.strictObject({
  name: json.text,
  group: json.text,
  summary: json.text,
  notes: json.texts,
  examples: json.texts,
});
const exitCodeShapes = v.array(v.strictObject({ code: json.count, meaning: json.text }));
const errorShapes = v.array(
  v.strictObject({
    code: json.text,
    exitCode: json.maybe(json.count),
    meaning: json.text,
    advice: json.text,
  }),
);

export const command: Definition = {
  operand: { kind: 'command', label: '[command]', min: 0, max: 2 },
  options: [],
  examples: ['docket help all', 'docket help add', 'docket help exit-codes', 'docket help NOT_FOUND'],
  answer: json.one(
    'All commands; about a command, a group, exit codes or errors just those. The same with --help.',
    { commands: v.array(commandShape), options: v.array(optionShape), exitCodes: exitCodeShapes },
    {
      or: [
        json.answer({ command: commandShape }),
        json.answer({ group: groupShape, commands: v.array(commandShape) }),
        json.answer({ exitCodes: exitCodeShapes }),
        json.answer({ errors: errorShapes }),
      ],
    },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { operands } = context.args;
  const [first = ''] = operands;
  if (operands.length === 0) return print(context, overview(), everything);
  if (operands.length === 1 && first === 'all') return print(context, everyCommand(), everything);
  if (first === 'exit-codes') return print(context, exitCodeHelp(), () => ({ exitCodes }));
  if (operands.length === 1 && /^(?:errors|[A-Z_]+)$/.test(first)) {
    const told = (await import('../frame/error-help.ts')).errorHelp(first);
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

/** `--help`, and what the name of a group alone gets: the same screen, but as an error. */
export async function showHelp(context: Context, about: Command | Group | undefined): Promise<number> {
  const { globals, out } = context;
  if (about === undefined) return print(context, overview(), everything);
  if ('run' in about) return printCommand(context, about);
  if (globals.help) return printGroup(context, about);
  if (globals.json) throw new DocketError('USAGE', 'no command was given', `see docket ${about.name} --help`);
  out.alarm(groupHelp(about));
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
