import type { Command, Operand, Option } from '../command.ts';
import { globalOptions } from '../options.ts';
import { closedWords, firstWords, groups, valueOptions } from './model.ts';

export function fishScript(commands: readonly Command[]): string {
  const groupNames = groups().map(({ group }) => quote(group));
  const groupTest = groupNames.length > 0 ? `contains -- "$cmd" ${groupNames.join(' ')}; or break` : 'break';
  return `# docket completion for fish. Save it as ~/.config/fish/completions/docket.fish
function __docket_command
    # The command is the first word that is no option and no option's value.
    set -l words (commandline -opc)
    set -e words[1]
    set -l cmd
    set -l skip 0
    for word in $words
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case ${valueOptions(commands).map(quote).join(' ')}
                set skip 1
            case '-*'
            case '*'
                set -a cmd $word
                ${groupTest}
        end
    end
    echo "$cmd"
end

function __docket_is
    set -l now (__docket_command)
    test "$now" = "$argv[1]"
end

complete -c docket -f
${[
  ...globalOptions.map((option) => optionLine(option, '')),
  ...firstWords().map(({ word, summary }) => wordLine('', word, summary)),
  ...groups().flatMap(({ group, words }) => words.map(({ word, summary }) => wordLine(group, word, summary))),
  ...commands.flatMap(({ name, operand, options }) => [
    ...options.map((option) => optionLine(option, when(name))),
    ...(operand === undefined ? [] : operandLine(name, operand)),
  ]),
].join('\n')}`;
}

function when(command: string): string {
  return ` -n ${quote(`__docket_is "${command}"`)}`;
}

function wordLine(after: string, word: string, summary: string): string {
  return `complete -c docket${when(after)} -a ${quote(word)} -d ${quote(summary)}`;
}

function optionLine({ name, short, summary, value }: Option, condition: string): string {
  const letter = short === undefined ? '' : ` -s ${short}`;
  return `complete -c docket${condition} -l ${name}${letter}${value === undefined ? '' : valueArgs(value)} -d ${quote(summary)}`;
}

function valueArgs(value: NonNullable<Option['value']>): string {
  const words = closedWords(value);
  if (words !== undefined) return ` -x -a ${quote(words.join(' '))}`;
  if (value.kind === 'file') return ' -r -F';
  return value.kind === 'directory' ? ` -x -a '(__fish_complete_directories)'` : ' -x';
}

function operandLine(command: string, operand: Operand): string[] {
  const words = closedWords(operand);
  if (words !== undefined) return [`complete -c docket${when(command)} -a ${quote(words.join(' '))}`];
  return operand.kind === 'file' || operand.kind === 'directory'
    ? [`complete -c docket${when(command)} -F`]
    : [];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
}
