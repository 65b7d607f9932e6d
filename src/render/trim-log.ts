const head = 200;
const tail = 200;

/** A long log without its middle: how it began, and how it ended. */
export function trimLog(text: string): string {
  const ends = text.endsWith('\n') ? '\n' : '';
  const lines = (ends === '' ? text : text.slice(0, -1)).split('\n');
  if (lines.length <= head + tail) return text;
  const omitted = `... [${lines.length - head - tail} lines omitted] ...`;
  return [...lines.slice(0, head), omitted, ...lines.slice(-tail)].join('\n') + ends;
}
