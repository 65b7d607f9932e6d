import type { Command, Group, Option, Row } from './command.ts';
import { entries, membersOf } from './commands.ts';
import { groups } from './groups.ts';
import { globalOptions } from './options.ts';
import { version } from './version.ts';

/** The verbs of every day, by what people want to do. `docket help all` has the other commands. */
const everyday: readonly (readonly [heading: string, names: readonly string[]])[] = [
  ['Start', ['init', 'doctor', 'demo']],
  ['Work', ['add', 'run', 'watch', 'answer', 'retry', 'cancel']],
  ['Review', ['diff', 'merge', 'pr']],
  ['Look', ['status', 'needs-me', 'list', 'show', 'logs']],
];

/** One screen. */
export function overview(): string {
  const rows = topRows(entries);
  const named = (name: string) => rows.filter((row) => row.name === name);
  return screen(
    everyday.map(([heading, names]) => [heading, names.flatMap(named)]),
    ['Examples:', '  docket add "Fix the flaky login test"', '  docket run --agent codex'],
    'More: docket help all, docket help exit-codes, docket <command> --help',
  );
}

/** Every command and group, with its summary. */
export function everyCommand(): string {
  return screen(grouped(topRows(entries)), [], 'One command: docket <command> --help');
}

/** What stands below another word is in that one's help. */
function topRows(commands: readonly Row[]): Row[] {
  const rows = new Map<string, Row>();
  for (const command of commands) {
    const [first = ''] = command.name.split(' ');
    if (!rows.has(first)) rows.set(first, groups.find(({ name }) => name === first) ?? command);
  }
  return [...rows.values()];
}

function screen(headings: readonly [string, Row[]][], examples: readonly string[], more: string): string {
  return [
    `docket ${version}: a foreman for coding agents. Usage: docket <command> [options]`,
    ...withSummaries(headings),
    'Options, anywhere on the line (also: --version):',
    ...optionLines(globalOptions.filter(({ name }) => name !== 'help' && name !== 'version')),
    ...examples,
    more,
  ].join('\n');
}

function withSummaries(headings: readonly [string, Row[]][]): string[] {
  const width = Math.max(...headings.flatMap(([, rows]) => rows.map(({ name }) => name.length)));
  return headings.flatMap(([group, rows]) =>
    rows.map(
      ({ name, summary }, index) => `  ${heading(index === 0 ? group : '')}${name.padEnd(width)}  ${summary}`,
    ),
  );
}

function grouped(rows: readonly Row[]): [string, Row[]][] {
  const headings = new Map<string, Row[]>();
  for (const row of rows) headings.set(row.group, [...(headings.get(row.group) ?? []), row]);
  return [...headings];
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
    ...ending(examples),
  ].join('\n');
}

export function groupHelp({ name, summary, notes, examples }: Group): string {
  const words = membersOf(name).map(
    (member) => [member.name.slice(name.length + 1), member.summary] as const,
  );
  const width = Math.max(...words.map(([word]) => word.length));
  return [
    `Usage: docket ${name} <command> [options]`,
    '',
    `${summary}.`,
    ...notes,
    '',
    `Commands (docket ${name} <command> --help):`,
    ...words.map(([word, about]) => `  ${word.padEnd(width)}  ${about}`),
    ...ending(examples),
  ].join('\n');
}

function ending(examples: readonly string[]): string[] {
  return [
    'Also: --root DIR, --json, --quiet, --no-color (docket --help)',
    '',
    'Examples:',
    ...examples.map((example) => `  ${example}`),
  ];
}

function below({ name }: Command): string[] {
  const names = membersOf(name).map((member) => member.name);
  return names.length === 0 ? [] : [`See also: docket ${names.join(', docket ')}.`];
}

export function usageLine({ name, operand, options }: Command): string {
  const parts = ['docket', name, operand?.label, options.length > 0 ? '[options]' : undefined];
  return parts.filter((part) => part !== undefined).join(' ');
}

/** Options that belong together share one row: they have the same summary, one after the other. */
function optionLines(options: readonly Option[]): string[] {
  const rows: { head: string; summary: string }[] = [];
  for (const option of options) {
    const last = rows.at(-1);
    if (last?.summary === option.summary) last.head += `, ${headOf(option)}`;
    else rows.push({ head: headOf(option), summary: option.summary });
  }
  const width = Math.max(...rows.map(({ head }) => head.length));
  return rows.map(({ head, summary }) => `  ${head.padEnd(width)}  ${summary}`);
}

function headOf({ name, short, value, inline }: Option): string {
  const letter = short === undefined ? '' : `-${short}, `;
  return `${letter}--${name}${value ? ` ${value.label}` : ''}${inline ? `[=${inline.label}]` : ''}`;
}
