/** What is longer is no document about a project, and no line of one. */
const longestDocument = 1_048_576;
const longestLine = 2000;

const heading = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const bullet = /^\s*(?:[-*+•]|\d{1,9}[.)])\s+(.*)$/;
const box = /^\[([ xX])\]\s+/;
const numbered = /^M\d{1,4}\s*[:：]/i;
const aboutMilestones = /里程碑|milestone|マイルストーン/i;

/** The title of a document, and its milestones: points `M1: …` anywhere, and all points below a heading that says so. */
export function readMarkdown(document: string): { title?: string; milestones: string[] } {
  const milestones: string[] = [];
  let title: string | undefined;
  /** The level of the heading about milestones that we are below. */
  let below = Infinity;
  for (const line of proseOf(document)) {
    const [, marks, words = ''] = heading.exec(line) ?? [];
    if (marks !== undefined) {
      const text = plain(words.replace(/[ \t]#+[ \t]*$/, ''));
      if (marks.length === 1) title ??= text;
      if (aboutMilestones.test(text)) below = Math.min(below, marks.length);
      else if (marks.length <= below) below = Infinity;
      continue;
    }
    const point = bullet.exec(line)?.[1];
    // What is ticked off needs no task.
    if (point === undefined || box.exec(point)?.[1]?.toLowerCase() === 'x') continue;
    const text = plain(point.replace(box, ''));
    if (below < Infinity || numbered.test(text)) milestones.push(text);
  }
  return { ...(title !== undefined && { title }), milestones };
}

/** Its lines without code, and without the settings that some tools put on top. */
function proseOf(document: string): string[] {
  const text = document.slice(0, longestDocument).replace(/^\uFEFF/, '');
  const lines = text.split(/\r?\n/).map((line) => line.slice(0, longestLine));
  const settings = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  let fence: string | undefined;
  return lines.slice(settings + 1).filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) return fence === undefined;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
    return false;
  });
}

function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^[\]]{0,300})\]\([^()]{0,1000}\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim();
}
