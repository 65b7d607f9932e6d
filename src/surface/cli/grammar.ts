import { globalOptions } from './global-options.ts';
import type { Command, Group, Option } from './table.ts';
import { viewCommands } from './tables/view.ts';

/** The commands that a line may be about, and every option that may stand in it. */
export interface Grammar {
  readonly commands: readonly Command[];
  readonly groups: readonly Group[];
  readonly options: ReadonlyMap<string, Option>;
}

export function grammarOf(commands: readonly Command[], groups: readonly Group[]): Grammar {
  const all = [...commands.flatMap(({ options }) => options), ...globalOptions];
  return { commands, groups, options: new Map(all.map((option) => [option.name, option])) };
}

/** To load and make the whole table takes longer than a look at the workspace: who begins with one of these is spared it. */
export async function grammarFor([first]: readonly string[]): Promise<Grammar> {
  const isQuick = viewCommands.some(({ name }) => name === first);
  return isQuick ? grammarOf(viewCommands, []) : (await import('./whole-grammar.ts')).wholeGrammar;
}

/** The command that the first words name: a group's command before a plain one. */
export function commandIn({ commands }: Grammar, words: readonly string[]): Command | undefined {
  const [first = '', second = ''] = words;
  return (
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first)
  );
}

export function groupIn({ groups }: Grammar, [first]: readonly string[]): Group | undefined {
  return groups.find(({ name }) => name === first);
}
