/** Lines that say what went wrong, in the words of most tools. */
const telling =
  /\b\w*(?:error|exception)\b[^:]*: \S|\b(?:fail(?:ed|ure)?|panicked|not ok|not found|denied|expected)\b/i;

/** docket's own hint at the end of a reason: who shows a command beside it has said it. */
const hint = /^See docket evidence /;

/** What package managers print before they run a script: `> test`. */
const banner = /^> /;
/** A line that announces a value (`Expected values to be strictly equal:`) is shown with so many below it. */
const mostAnnounced = 2;

/** One line for a reason of many: the first, and where that only announces, the line below it that says most. */
export function tellingLine(text: string): string {
  const [first = '', ...below] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !hint.test(line));
  if (!first.endsWith(':')) return first;
  const said = below.filter((line) => !banner.test(line));
  const at = Math.max(
    said.findIndex((line) => telling.test(line)),
    0,
  );
  const most = said.slice(at, at + 1 + mostAnnounced);
  const end = most.findIndex((line) => !line.endsWith(':'));
  return [first, ...most.slice(0, end === -1 ? undefined : end + 1)].join(' ').replace(/:$/, '');
}
