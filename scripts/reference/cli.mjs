import { code, page, plain, table } from './markdown.mjs';

/** Every command as its help has it, by the headings of the overview. */
export function cliPage({ commands, groups, globalOptions, usageLine }) {
  const headings = [...new Set(commands.map(({ group }) => group))];
  const sections = headings.flatMap((heading) => [
    `## ${heading}`,
    ...commands
      .filter(({ group }) => group === heading)
      .flatMap((command) => commandPart(command, usageLine)),
  ]);
  return page(
    'Command line',
    'the files of src/surfaces/cli/commands',
    'Every command, as `docket <command> --help` shows it. What the exit codes mean: [exit-codes.md](exit-codes.md).',
    '## Options of every command',
    'They may stand anywhere on the line.',
    optionTable(globalOptions),
    '## Groups',
    table(
      ['group', 'what it is for'],
      groups.map(({ name, summary, notes }) => [
        `\`docket ${name}\``,
        plain([`${summary}.`, ...notes].join(' ')),
      ]),
    ),
    sections,
  );
}

function commandPart(command, usageLine) {
  const { name, summary, notes = [], options, examples } = command;
  return [
    `### docket ${name}`,
    code(usageLine(command)),
    plain([`${summary}.`, ...notes].join(' ')),
    options.length === 0 ? '' : optionTable(options),
    code(examples.join('\n'), 'sh'),
  ];
}

function optionTable(options) {
  return table(
    ['option', 'meaning'],
    options.map((option) => [`\`${headOf(option)}\``, plain(meaningOf(option))]),
  );
}

function headOf({ name, short, value, inline }) {
  const letter = short === undefined ? '' : `-${short}, `;
  return `${letter}--${name}${value ? ` ${value.label}` : ''}${inline ? `[=${inline.label}]` : ''}`;
}

function meaningOf({ summary, value }) {
  const words = value?.kind === 'oneOf' ? ` One of ${value.words.join(', ')}.` : '';
  return `${summary}.${words}`;
}
