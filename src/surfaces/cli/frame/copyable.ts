import type { Context } from './context.ts';
import { visible } from './visible.ts';

const plain = /^[\w./:@%+,=-]+$/;

/** A command line that a person may copy: each word is one word to the shell, whoever wrote it. */
export function copyable({ globals }: Pick<Context, 'globals'>, ...words: readonly string[]): string {
  const root = globals.root === undefined ? [] : ['--root', globals.root];
  return ['docket', ...words, ...root].map(shellWord).join(' ');
}

/** The steps that are possible now, as lines to copy. */
export function commandsOf(
  next: readonly { words: readonly string[]; does: string }[],
  context: Pick<Context, 'globals'>,
): { command: string; does: string }[] {
  return next.map(({ words, does }) => ({ command: copyable(context, ...words), does }));
}

function shellWord(word: string): string {
  if (plain.test(word)) return word;
  return `'${visible(word).replaceAll("'", String.raw`'\''`)}'`;
}
