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
