/** A line with which a diff may begin outside of any fence. */
const fileHeader = /^(diff --git |--- \S)/;
/** Any line of a diff, after its beginning. Git itself skips what follows a complete hunk. */
const diffLine =
  /^([ +\-\\@]|$|diff |index |old mode |new mode |new file mode |deleted file mode |similarity |dissimilarity |rename |copy |Binary files |GIT binary patch)/;
const binaryLine = /^((literal|delta) \d+|[A-Za-z][!-~]+|)$/;

/**
 * The diff in an answer: all fences that say `diff` or `patch`, joined; else what stands there without a fence.
 * Not a Markdown parser's work: a diff of a Markdown file has lines that look like the end of its own fence.
 */
export function diffIn(answer: string): string | undefined {
  const lines = answer.split('\n');
  const fenced: string[] = [];
  const bare: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const [, indent = '', marker = '', info = ''] = /^( *)(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (marker !== '' && !info.includes('`')) {
      const end = fenceEnd(lines, at + 1, indent.length, marker);
      const body = lines.slice(at + 1, end).map((inner) => dedent(inner, indent.length));
      if (/^(diff|patch)(\s|$)/i.test(info.trim())) fenced.push(joined(body));
      at = end + 1;
    } else if (beginsDiff(lines, at)) {
      const end = bareEnd(lines, at);
      bare.push(joined(lines.slice(at, end)));
      at = end;
    } else at += 1;
  }
  const diff = (fenced.length > 0 ? fenced : bare).join('');
  return diff.trim() === '' ? undefined : diff;
}

/** No line of a diff begins with a fence's sign: only one that does, where the fence began, can be its end. */
function fenceEnd(lines: readonly string[], from: number, indent: number, marker: string): number {
  let at = from;
  for (; at < lines.length; at += 1) {
    const text = dedent(lines[at] ?? '', indent).trimEnd();
    if (text.startsWith(marker) && text === marker.charAt(0).repeat(text.length)) return at;
  }
  return at;
}

function dedent(line: string, indent: number): string {
  let spaces = 0;
  while (spaces < indent && line[spaces] === ' ') spaces += 1;
  return line.slice(spaces);
}

function beginsDiff(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return fileHeader.test(line) && (line.startsWith('diff ') || /^\+\+\+ \S/.test(lines[at + 1] ?? ''));
}

function bareEnd(lines: readonly string[], start: number): number {
  let isBinary = false;
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('GIT binary patch')) isBinary = true;
    else if (line.startsWith('diff ')) isBinary = false;
    if (!diffLine.test(line) && !(isBinary && binaryLine.test(line))) return at;
  }
  return lines.length;
}

/** Blank lines at the end belong to the text around it. */
function joined(lines: readonly string[]): string {
  const text = lines.join('\n').replace(/\n+$/, '');
  return text === '' ? '' : `${text}\n`;
}
