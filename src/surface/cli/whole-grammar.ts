import { commandIn, grammarOf, groupIn } from './grammar.ts';
import { commands, groups, type Command, type Group } from './table.ts';

/** Of all commands. */
export const wholeGrammar = grammarOf(commands, groups);

export function findCommand(words: readonly string[]): Command | undefined {
  return commandIn(wholeGrammar, words);
}

export function findGroup(words: readonly string[]): Group | undefined {
  return groupIn(wholeGrammar, words);
}
