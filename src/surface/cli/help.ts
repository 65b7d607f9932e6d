import { commands as allCommands, globalOptions, type Command, type Option } from './table.ts';
import { version } from './version.ts';

/** One screen each: at most 24 lines of 80 columns. */
const maxLines = 24;
const maxColumns = 80;

/** With a summary for each command as long as they fit on the screen, else by name. */
export function overview(commands: readonly Command[]): string {
  // What stands below another command is in that one's help.
  const top = commands.filter(({ name }) => !commands.some((other) => name.startsWith(`${other.name} `)));
  const long = screen(withSummaries(top));
  return (long.length <= maxLines ? long : screen(namesOnly(commands))).join('\n');
}

function screen(commandLines: readonly string[]): string[] {
  return [
    `docket ${version}: a foreman for coding agents. It queues work, runs it with the`,
    'agents you already use, checks the result, and keeps every step as plain text.',
    'Usage: docket <command> [options]',
    '',
    ...commandLines,
    '',
    'Options, anywhere on the line:',
    ...optionLines(globalOptions),
    'Examples:',
    '  docket add "Fix the flaky login test"',
    '  docket run --agent codex',
    'More: docket <command> --help. Exit codes: docket help exit-codes',
  ];
}

function withSummaries(commands: readonly Command[]): string[] {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return grouped(commands).flatMap(([group, members]) =>
    members.map(
      ({ name, summary }, index) => `  ${heading(index === 0 ? group : '')}${name.padEnd(width)}  ${summary}`,
    ),
  );
}

function namesOnly(commands: readonly Command[]): string[] {
  return grouped(commands).flatMap(([group, members]) => {
    const lines: string[] = [];
    let line = `  ${heading(group)}`;
    for (const { name } of members) {
      if (`${line}${name}`.length > maxColumns) {
        lines.push(line.trimEnd());
        line = `  ${heading('')}`;
      }
      line += `${name}  `;
    }
    return [...lines, line.trimEnd()];
  });
}

function grouped(commands: readonly Command[]): [string, Command[]][] {
  const groups = new Map<string, Command[]>();
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups];
}

function heading(group: string): string {
  return group.padEnd(8);
}

export function commandHelp(command: Command): string {
  const { summary, notes = [], options, examples } = command;
  return [
    `Usage: ${usageLine(command)}`,
    '',
    `${summary}.`,
    ...notes,
    ...below(command),
    '',
    ...(options.length > 0 ? ['Options:', ...optionLines(options)] : []),
    'Also: --root DIR, --json, --quiet, --no-color (docket --help)',
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
  ].join('\n');
}

function below({ name }: Command): string[] {
  const names = allCommands.filter((other) => other.name.startsWith(`${name} `)).map((other) => other.name);
  return names.length === 0 ? [] : [`See also: docket ${names.join(', docket ')}.`];
}

export function usageLine({ name, operand, options }: Command): string {
  const parts = ['docket', name, operand?.label, options.length > 0 ? '[options]' : undefined];
  return parts.filter((part) => part !== undefined).join(' ');
}

function optionLines(options: readonly Option[]): string[] {
  const heads = options.map(({ name, short, value }) =>
    [
      short === undefined ? '' : `-${short}, `,
      `--${name}`,
      value === undefined ? '' : ` ${value.label}`,
    ].join(''),
  );
  const width = Math.max(...heads.map((head) => head.length));
  return options.map(({ summary }, index) => `  ${(heads[index] ?? '').padEnd(width)}  ${summary}`);
}
