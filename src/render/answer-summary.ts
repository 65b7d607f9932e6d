const longest = 2000;
const longestLine = 200;
const report = /^[ \t]*<<<report[^\n]*\n[\s\S]*?(?:^[ \t]*>>>[ \t]*$|$(?![\s\S]))/gm;
const tag = /^\[[^[\]:\n]+:\s*\d+\]\s*|\[[^[\]:\n]+:\s*\d+\]\s*$/g;

/** What an answer comes to: its last paragraph that is more than a tag, because agents sum up at the end, or its reports. */
export function summaryOf(answer: string, reports: readonly string[]): string {
  const said = answer
    .replaceAll(report, '')
    .split(/\n\s*\n/)
    .map((part) => part.trim().replaceAll(tag, '').trim())
    .filter((part) => part !== '')
    .at(-1);
  return (said ?? headsOf(reportsIn(answer, reports))).slice(0, longest);
}

/** Each report by its name and how it begins: `review.md: Two findings`. */
function headsOf(reports: ReadonlyMap<string, string>): string {
  const heads = [...reports].map(([name, text]) => {
    const lines = text.split('\n').map((line) => line.trim().replace(/^(?:#+|>|[-*])\s+/, ''));
    return `${name}: ${(lines.find((line) => line !== '') ?? '').slice(0, longestLine)}`;
  });
  return heads.length > 0 ? heads.join('\n') : 'it answered without a word';
}

const open = /^[ \t]*<<<report[ \t]+(.+?)[ \t]*$/;
const close = /^[ \t]*>>>[ \t]*$/;

/**
 * The reports inside an answer: each from its line `<<<report NAME` to a line `>>>`, or to the next report, or to the end.
 * The last one of a name counts. Only the names that were asked for are looked at.
 */
export function reportsIn(answer: string, wanted: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  let name: string | undefined;
  let lines: string[] = [];
  const done = (): void => {
    const text = lines.join('\n').trim();
    if (name !== undefined && text !== '' && text !== '…') found.set(name, `${text}\n`);
    name = undefined;
    lines = [];
  };
  for (const line of answer.split(/\r?\n/)) {
    const begins = open.exec(line)?.[1];
    if (begins !== undefined && wanted.includes(begins)) {
      done();
      name = begins;
    } else if (name !== undefined && close.test(line)) done();
    else if (name !== undefined) lines.push(line);
  }
  done();
  return found;
}
