import { createHash } from 'node:crypto';

/** What differs from one telling to the next although the same is told. Every length has a bound: the text is a model's. */
const passing: readonly (readonly [RegExp, string])[] = [
  // oxlint-disable-next-line no-control-regex -- colours
  [/\u001B\[[\d;?]{0,32}[A-Za-z]/g, ''],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/g, 'TIME'],
  [/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]m)?\b/gi, 'TIME'],
  [/\b\d{1,9}(?:[.,]\d{1,9})? ?(?:ms|s|sec|secs|seconds?|min|minutes?)\b/gi, 'TIME'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, 'ID'],
  [/\b(?:0x[0-9a-f]{1,64}|(?=[a-f]{0,63}\d)(?=\d{0,63}[a-f])[0-9a-f]{7,64})\b/gi, 'ID'],
  [/\b(lines?|columns?|pid|L)[ :#]{0,3}\d{1,9}(?: ?[-–,] ?L?\d{1,9})?/gi, '$1 N'],
  [/\b(round|attempt|iteration|cycle)[ :#]{0,3}\d{1,4}(?: ?(?:of|\/) ?\d{1,4})?/gi, '$1 N'],
  [/@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/g, '@@'],
  [/[:(]\d{1,9}(?:[:,]\d{1,9})?\)?/g, ':N'],
  [/\s+/g, ' '],
];

const longest = 64 * 1024;

/** The text without numbers of lines, times, ids and white space: what is left when the same is said again. */
export function plainly(text: string): string {
  const kept = text.length <= longest ? text : `${text.slice(0, longest / 2)}${text.slice(-longest / 2)}`;
  return passing.reduce((now, [pattern, word]) => now.replace(pattern, word), kept).trim();
}

/** The same for texts that say the same. */
export function hashOf(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(plainly(text)).update('\0');
  return hash.digest('hex').slice(0, 16);
}
