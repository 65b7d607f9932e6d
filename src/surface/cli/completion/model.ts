import type { Command, Operand, Option } from '../command.ts';
import { entries } from '../commands.ts';
import { groups as commandGroups } from '../groups.ts';
import { globalOptions } from '../options.ts';

/** What the four shells have in common: what can stand where. */
interface Word {
  readonly word: string;
  readonly summary: string;
}

/** First words of commands. A group counts once. */
export function firstWords(): Word[] {
  const found = new Map<string, string>();
  for (const { name, summary } of entries) {
    const [first = ''] = name.split(' ');
    const group = commandGroups.find((one) => one.name === first);
    if (!found.has(first)) found.set(first, (group ?? { summary }).summary);
  }
  return [...found].map(([word, summary]) => ({ word, summary }));
}

/** Groups and the words that may follow them. */
export function groups(): { group: string; words: Word[] }[] {
  const found = new Map<string, Word[]>();
  for (const { name, summary } of entries) {
    const [group = '', word] = name.split(' ');
    if (word !== undefined) found.set(group, [...(found.get(group) ?? []), { word, summary }]);
  }
  return [...found].map(([group, words]) => ({ group, words }));
}

/** Every option that takes the next word, whatever the command: the next word is then no command. */
export function valueOptions(commands: readonly Command[]): string[] {
  const all = [...globalOptions, ...commands.flatMap(({ options }) => options)];
  return [...new Set(all.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`))];
}

export function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...globalOptions];
}

/** The words of a closed list; undefined when the shell should offer files, directories or nothing. */
export function closedWords(rule: Operand | NonNullable<Option['value']>): readonly string[] | undefined {
  if (rule.kind === 'oneOf') return rule.words;
  if (rule.kind === 'command') return [...firstWords().map(({ word }) => word), 'errors', 'exit-codes'];
  return undefined;
}

/** For bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
