/** Lines that say what went wrong, in the words of most tools. */
const telling =
  /\b\w*(?:error|exception)\b[^:]*: \S|\b(?:fail(?:ed|ure)?|panicked|not ok|not found|denied|expected)\b/i;

/** docket's own hint at the end of a reason: who shows a command beside it has said it. */
const hint = /^See docket evidence /;

/** One line for a reason of many: the first, and where that only announces, the line below it that says most. */
export function tellingLine(text: string): string {
  const [first = '', ...below] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !hint.test(line));
  if (!first.endsWith(':')) return first;
  const more = below.find((line) => telling.test(line)) ?? below[0];
  return more === undefined ? first.slice(0, -1) : `${first} ${more}`;
}
