// An animated SVG of a film: no script, no font of its own. All lines stand below each other and the screen scrolls over
// them, so a line costs its text once. Only what changes in place has an animation of its own.

const size = 14;
const [charWidth, lineHeight, margin] = [8.4, 19, 14];
const hold = 4; // seconds that the last picture stays
const colours = ['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'];

export function svg({ frames, scroll, versions }, { columns, rows, title }) {
  const seconds = (frames.at(-1) ?? 0) + hold;
  const percent = (frame) => `${((100 * frames[frame]) / seconds).toFixed(2).replace(/\.?0+$/, '')}%`;
  const [width, height] = [Math.ceil(columns * charWidth + 2 * margin), rows * lineHeight + 2 * margin];
  const moves = new Animations(percent);
  const seen = firstSeen(scroll, rows);
  const lines = versions.map((version) => {
    const appears = version.from > (seen(version.line) ?? 0);
    const name = appears || version.to !== Infinity ? moves.named(version) : undefined;
    return textOf(version, name);
  });
  const last = (scroll.at(-1) ?? 0) * lineHeight;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
text{font:${size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}
.b{font-weight:bold}.d{fill:#8b949e}${colours.map((colour, n) => `.c${n}{fill:${colour}}`).join('')}
#s{transform:translateY(-${last}px);animation:s ${seconds.toFixed(2)}s step-end infinite}
.g{opacity:0}.a{animation-duration:${seconds.toFixed(2)}s;animation-timing-function:step-end;animation-iteration-count:infinite}
@keyframes s{${scrolling(scroll, percent)}}
${moves.text()}
@media (prefers-reduced-motion:reduce){#s,.a{animation:none}}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<svg x="${margin}" y="${margin}" width="${width - margin}" height="${rows * lineHeight}"><g id="s">
${lines.join('\n')}
</g></svg>
</svg>
`;
}

/** The frame in which a line of the film comes into the screen. */
function firstSeen(scroll, rows) {
  return (line) => scroll.findIndex((top) => line < top + rows);
}

function scrolling(scroll, percent) {
  return scroll
    .map((top, frame) => ({ top, frame }))
    .filter(({ top, frame }) => top !== scroll[frame - 1])
    .map(({ top, frame }) => `${percent(frame)}{transform:translateY(-${top * lineHeight}px)}`)
    .join('');
}

/** Those that come and go at the same times share one. */
class Animations {
  #percent;
  #texts = new Map();

  constructor(percent) {
    this.#percent = percent;
  }

  named({ from, to }) {
    const start = from === 0 ? '' : `0%{opacity:0}`;
    const end = to === Infinity ? '' : `${this.#percent(to)}{opacity:0}`;
    const text = `${start}${this.#percent(from)}{opacity:1}${end}`;
    const known = this.#texts.get(text) ?? `k${this.#texts.size}`;
    this.#texts.set(text, known);
    return known;
  }

  text() {
    return [...this.#texts]
      .map(([text, name]) => `@keyframes ${name}{${text}}.${name}{animation-name:${name}}`)
      .join('\n');
  }
}

function textOf({ line, cells, to }, name) {
  const classes = [...(name === undefined ? [] : ['a', name]), ...(to === Infinity ? [] : ['g'])];
  const attribute = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
  const spans = runsOf(cells).map(({ column, text, style }) => {
    const x = (column * charWidth).toFixed(1).replace(/\.0$/, '');
    const look = style === '' ? '' : ` class="${style}"`;
    return `<tspan x="${x}"${look}>${escaped(text)}</tspan>`;
  });
  return `<text${attribute} y="${line * lineHeight + size}">${spans.join('')}</text>`;
}

/** Runs of one style. Behind a sign that a font may not have in its own width a new one begins, so that columns hold. */
function runsOf(cells) {
  const runs = [];
  for (const [column, { text, style }] of cells.entries()) {
    if (text === '') continue; // the second half of a wide sign
    const run = runs.at(-1);
    const isPlain = !run || /^[ -~]*$/.test(run.text);
    if (run && run.style === style && isPlain) run.text += text;
    else runs.push({ column, text, style });
  }
  return runs.filter(({ text }) => text.trim() !== '');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
