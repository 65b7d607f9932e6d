import { editDistance } from '../../../../errors/nearest.ts';
import { keywordsOf, type Spoken, spoken } from '../../../../render/board/words.ts';
import type { Intent, Locale } from '../intent.ts';
import { type Scanner, fold } from './command.ts';
import { commands, render, usageOf } from './commands.ts';

interface Suggestion {
  text: string;
  /** Their message is this command with a slip in its keyword. */
  complete: boolean;
}

interface Near {
  name: Spoken;
  /** Letters that differ. */
  far: number;
  /** Where the keyword ends in their text. */
  end: number;
  /** So near that it was meant; otherwise only the verb is the same. */
  slip: boolean;
}

const longestKeyword = 24;
const longest = 200;

/** The command that they probably meant: all of it where the rest reads well, else how it is written. */
export function suggest(scanner: Scanner, locale: Locale, id: string | undefined): Suggestion | undefined {
  const start = fold(scanner.text.slice(0, 2 * longestKeyword)).toLowerCase();
  const [head = ''] = start.split('\n', 1);
  const said = firstWords(head);
  const near = spoken.flatMap((name) => nearest(name, head, said)).toSorted((a, b) => a.far - b.far);
  const [best] = near;
  for (const { name, end } of near.filter(({ far, slip }) => slip && far === best?.far)) {
    scanner.at = end;
    const meant: Intent | undefined = commands[name].read(scanner, locale);
    if (meant === undefined) continue;
    const text = render(meant, locale);
    return { text: text.length > longest ? usageOf(name, id, locale) : text, complete: true };
  }
  return best && { text: usageOf(best.name, id, locale), complete: false };
}

function nearest(name: Spoken, head: string, said: readonly string[]): Near[] {
  const found = keywordsOf(name)
    .flatMap((word) => beginnings(word, head, said).map((start) => compare(name, word, start)))
    .filter((near) => near !== undefined)
    .toSorted((a, b) => a.far - b.far);
  return found.slice(0, 1);
}

/** The first word of a text in Latin letters, the first two, and so on. */
function firstWords(head: string): string[] {
  const words = [...head.matchAll(/ *[a-z_-]+(?![\w-])/gy)].slice(0, 3).map(([word]) => word);
  return words
    .map((_, nth) => words.slice(0, nth + 1).join(''))
    .filter((start) => start.length <= longestKeyword);
}

/** What of their text stands where this keyword would: as many words, or about as many letters. */
function beginnings(word: string, head: string, said: readonly string[]): string[] {
  if (/^[a-z]/.test(word)) return said.slice(0, word.split(' ').length).slice(-1);
  const lengths = [word.length, word.length + 1, word.length - 1];
  return lengths
    .filter((length) => length > 1 && length <= head.length)
    .map((length) => head.slice(0, length));
}

/** Word by word: `this task` is not `fail task`, however long the word is that they share. */
function compare(name: Spoken, word: string, start: string): Near | undefined {
  if (isInflected(word, start)) return undefined;
  const theirs = start.trim().split(/ +/);
  const ours = word.split(' ');
  const apart = ours.map((part, nth) => editDistance(part, theirs[nth] ?? ''));
  const far = apart.reduce((sum, one) => sum + one, 0);
  const verbOnly = ours.length > 1 && theirs[0] === ours[0];
  const slip =
    (verbOnly && theirs.length === 1) || ours.every((part, nth) => (apart[nth] ?? 0) <= slips(part));
  return slip || verbOnly ? { name, far, end: start.length, slip } : undefined;
}

/** `completed T-1` is no slip: somebody tells what happened. */
function isInflected(word: string, said: string): boolean {
  return said.startsWith(word) && /^(?:t?ed|t?ing|d|e?r|s)$/.test(said.slice(word.length));
}

/** A short word in Han letters is another word when one of them differs. */
function slips(word: string): number {
  const some = Math.min(2, Math.floor(word.length / 3));
  return /^[a-z]/.test(word) ? Math.max(1, some) : some;
}
