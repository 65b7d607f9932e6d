export type DigestPolicy = 'off' | 'auto' | 'aggressive';

/** What an agent cannot do without. The rest it finds in the work tree. */
const kept = [
  'goal',
  'non-goal',
  'scope',
  'acceptance',
  'fixed decision',
  'files to read',
  'prohibited action',
];
const longestSection = 40;
const longestRest = 100;

export function needsDigest(policy: DigestPolicy, bytes: number): boolean {
  return policy === 'aggressive' || (policy === 'auto' && bytes > 8000);
}

/** A context pack without what is not needed for the work. The same pack gives the same bytes. */
export function digest(contextPack: string, source = 'context_pack.md'): string {
  const lines = contextPack.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const sections = sectionsOf(lines).filter(({ heading }) => isKept(heading));
  const body =
    sections.length === 0
      ? shortened(lines, longestRest)
      : sections.flatMap(({ heading, body }) => [heading, ...shortened(body, longestSection), '']);
  return `${['# Context Pack Digest', `Source: ${source}`, '---', '', ...body].join('\n').trimEnd()}\n`;
}

/** By its words, not its letters: a telescope is not a scope. */
function isKept(heading: string): boolean {
  const words = heading
    .toLowerCase()
    .replace(/^#+\s*(?:\d+[.)]?\s*)?/, '')
    .split(/[^\p{L}\p{N}-]+/u)
    .map((word) => word.replace(/s$/, ''));
  const text = ` ${words.join(' ')} `;
  return kept.some((name) => text.includes(` ${name.replace('files', 'file')} `));
}

interface Section {
  heading: string;
  body: string[];
}

/** By headings of the first two levels; what stands in a code block is none. */
function sectionsOf(lines: readonly string[]): Section[] {
  const sections: Section[] = [];
  const fence = fences();
  for (const line of lines) {
    if (fence(line) === undefined && /^#{1,2}\s/.test(line)) sections.push({ heading: line, body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections.map(({ heading, body }) => ({ heading, body: trimmed(body) }));
}

function trimmed(body: string[]): string[] {
  const end = body.findLastIndex((line) => line.trim() !== '');
  return body.slice(0, end + 1);
}

/** A code block that is cut is closed: what follows is not code. */
function shortened(lines: readonly string[], max: number): string[] {
  if (lines.length <= max) return [...lines];
  const first = lines.slice(0, max);
  const fence = fences();
  let open: string | undefined;
  for (const line of first) open = fence(line);
  const cut = `... [${lines.length - max} lines truncated]`;
  return [...first, ...(open === undefined ? [] : [open]), cut];
}

/** Takes line after line; answers with the fence of the code block in which the line leaves us. */
function fences(): (line: string) => string | undefined {
  let open: string | undefined;
  return (line) => {
    const [, fence, after = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) return open;
    if (open === undefined) open = fence;
    else if (fence.startsWith(open) && after.trim() === '') open = undefined;
    return open;
  };
}
