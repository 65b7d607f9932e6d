import type { Graph } from '../workflow/graph.ts';
import { layoutOf, type Layout, type PlacedArrow, type Size } from './graph-layout.ts';
import { pictureOf, type Arrow, type Box } from './graph-picture.ts';

/** A drawing of its own, readable on light and on dark ground. */
export function svgOf(graph: Graph): string {
  const picture = pictureOf(graph);
  const layout = layoutOf(picture, boxSize, labelSize);
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(`Workflow ${graph.name}`)}</title>`,
    `<style>${style}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>',
    `<rect class="ground" width="${width}" height="${height}"/>`,
    ...layout.arrows.map(arrowLine),
    ...layout.boxes.map(boxShape),
    ...layout.arrows.map(arrowLabel),
    '</svg>',
    '',
  ].join('\n');
}

/** Fill and edge of each kind of box. */
const light = {
  ground: '#ffffff',
  ink: '#1f2328',
  soft: '#59636e',
  line: '#818b98',
  work: '#ddf4ff #0969da',
  checks: '#fff8c5 #9a6700',
  fan: '#fbefff #8250df',
  judge: '#fff1e5 #bc4c00',
  done: '#dafbe1 #1a7f37',
  failed: '#ffebe9 #cf222e',
};
const dark: typeof light = {
  ground: '#0d1117',
  ink: '#f0f6fc',
  soft: '#9198a1',
  line: '#767e88',
  work: '#10243e #4493f8',
  checks: '#2b2410 #d29922',
  fan: '#271a3d #ab7df8',
  judge: '#331c0c #db6d28',
  done: '#0f2a17 #3fb950',
  failed: '#341a1a #f85149',
};

/** Written out, because many programs that draw SVG know no variables. */
function colours({ ground, ink, soft, line, ...boxes }: typeof light): string {
  const kinds = Object.entries(boxes).map(([kind, pair]) => {
    const [fill, edge] = pair.split(' ');
    return `.${kind}{fill:${fill};stroke:${edge}}`;
  });
  return `.ground{fill:${ground}}text,.part{fill:${ink}}.note,.label{fill:${soft}}.label{stroke:${ground}}.line{stroke:${line}}.tip{fill:${line}}.start,.inner{fill:${ground};stroke:${line}}${kinds.join('')}`;
}

const style = `
text{font:13px ui-sans-serif,system-ui,sans-serif;text-anchor:middle}.title{font-weight:600}.note,.label,.part{font-size:11px}
.box{stroke-width:1.4}.line{fill:none;stroke-width:1.4}.dashed{stroke-dasharray:5 4}.label{stroke-width:4px;paint-order:stroke;stroke-linejoin:round}
${colours(light)}
@media (prefers-color-scheme:dark){${colours(dark)}}
`;

const lineHeight = 14;
const longestLine = 26;
const mostLines = 4;

function boxSize({ title, note, parts }: Box): Size {
  const widest = Math.max(
    widthOf(title) * 7.6,
    widthOf(note) * 6.2,
    ...parts.map((part) => widthOf(part) * 6.4 + 20),
  );
  return {
    width: Math.max(90, Math.min(320, widest + 32)),
    height: 30 + (note === '' ? 0 : 16) + parts.length * 24 + (parts.length > 0 ? 6 : 0),
  };
}

function labelSize(arrow: Arrow): Size {
  const lines = labelLines(arrow);
  return { width: Math.max(6, ...lines.map((line) => widthOf(line) * 6)), height: lines.length * lineHeight };
}

function boxShape({ box, x, y, width, height }: Layout['boxes'][number]): string {
  const round = box.kind === 'start' || box.kind === 'done' || box.kind === 'failed' ? height / 2 : 7;
  const [left, top] = [x - width / 2, y - height / 2];
  const parts = box.parts.map((part, at) => {
    const line = top + 30 + (box.note === '' ? 0 : 16) + at * 24;
    const frame = `<rect class="box inner" x="${n(left + 12)}" y="${n(line)}" width="${n(width - 24)}" height="20" rx="4"/>`;
    return frame + text('part', x, line + 14, cut(part, (width - 40) / 6.4));
  });
  return [
    `<g><title>${escaped([box.title, box.note].filter(Boolean).join(': '))}</title>`,
    `<rect class="box ${box.kind}" x="${n(left)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" rx="${n(round)}"/>`,
    text('title', x, top + 20, cut(box.title, (width - 24) / 7.6)),
    ...(box.note === '' ? [] : [text('note', x, top + 36, cut(box.note, (width - 24) / 6.2))]),
    ...parts,
    '</g>',
  ].join('');
}

/** From point to point in bows that begin and end upright. */
function arrowLine({ points, arrow }: PlacedArrow): string {
  const [first, ...rest] = points;
  let before = first ?? { x: 0, y: 0 };
  const steps = rest.map((to) => {
    const middle = (before.y + to.y) / 2;
    const bow = `C${n(before.x)} ${n(middle)} ${n(to.x)} ${n(middle)} ${n(to.x)} ${n(to.y)}`;
    before = to;
    return bow;
  });
  const d = `M${n(first?.x ?? 0)} ${n(first?.y ?? 0)}${steps.join('')}`;
  return `<path class="line${arrow.dashed ? ' dashed' : ''}" d="${d}" marker-end="url(#tip)"/>`;
}

function arrowLabel({ arrow, label }: PlacedArrow): string {
  const lines = labelLines(arrow);
  const top = label.y - ((lines.length - 1) * lineHeight) / 2 + 4;
  const shown = lines.map((line, at) => text('label', label.x, top + at * lineHeight, line));
  return shown.length === 0
    ? ''
    : `<g><title>${escaped(arrow.labels.join(' / '))}</title>${shown.join('')}</g>`;
}

/** Broken between words; what is left out is in the title that a pointer shows. */
function labelLines({ labels }: Arrow): string[] {
  const lines: string[] = [];
  for (const label of labels) {
    let line = '';
    for (const word of label.split(/\s+/)) {
      if (line !== '' && widthOf(`${line} ${word}`) > longestLine) {
        lines.push(line);
        line = '';
      }
      line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(`${line}${label === labels.at(-1) ? '' : ' /'}`);
  }
  const kept = lines.slice(0, mostLines).map((line) => cut(line, longestLine + 4));
  if (lines.length > mostLines) kept[mostLines - 1] = `${kept[mostLines - 1]} …`;
  return kept.filter((line) => line !== '');
}

function text(kind: string, x: number, y: number, words: string): string {
  return `<text class="${kind}" x="${n(x)}" y="${n(y)}">${escaped(words)}</text>`;
}

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/gu;

/** In letters; those of some scripts take the room of two. */
function widthOf(words: string): number {
  return words.length + 0.9 * (words.match(wide)?.length ?? 0);
}

function cut(words: string, most: number): string {
  if (widthOf(words) <= most) return words;
  const letters = Array.from(words);
  while (letters.length > 1 && widthOf(letters.join('')) >= most) letters.pop();
  return `${letters.join('')}…`;
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** Text of a workflow's author: no tag, and no character that XML does not allow. */
function escaped(words: string): string {
  const plain = words.replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ');
  return plain.replaceAll(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`);
}
