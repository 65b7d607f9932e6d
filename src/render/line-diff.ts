/** A change of one line: kept, taken out or put in. */
type Edit = { kind: ' ' | '-' | '+'; text: string };

const context = 3;
/** Texts that have less in common than this are shown as one that went and one that came. */
const mostEdits = 500;

/** What is other in a text, as hunks of a patch; undefined: nothing. */
export function lineDiff(before: string, after: string): string | undefined {
  if (before === after) return undefined;
  const edits = editsOf(linesOf(before), linesOf(after));
  const near = (at: number) =>
    edits.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== ' ');
  const shown: string[] = [];
  let [old, now] = [1, 1];
  let hunk: { at: number; old: number; now: number; lines: string[] } | undefined;
  const close = (): void => {
    if (!hunk) return;
    const count = (kind: '-' | '+') =>
      hunk?.lines.filter((line) => line[0] === ' ' || line[0] === kind).length;
    shown.push(`@@ -${hunk.old},${count('-')} +${hunk.now},${count('+')} @@`, ...hunk.lines);
    hunk = undefined;
  };
  for (const [at, { kind, text }] of edits.entries()) {
    if (near(at)) (hunk ??= { at, old, now, lines: [] }).lines.push(kind + text);
    else close();
    if (kind !== '+') old += 1;
    if (kind !== '-') now += 1;
  }
  close();
  return shown.join('\n');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** The shortest way from one list to the other (Myers), between what they begin and end with alike. */
function editsOf(a: readonly string[], b: readonly string[]): Edit[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const same = (lines: readonly string[]) => lines.map((text): Edit => ({ kind: ' ', text }));
  return [...same(a.slice(0, start)), ...shortest(from, to), ...same(a.slice(a.length - end))];
}

function shortest(a: readonly string[], b: readonly string[]): Edit[] {
  const trace: Map<number, number>[] = [];
  let best = new Map([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, mostEdits); d += 1) {
    trace.push(best);
    const next = new Map(best);
    for (let k = -d; k <= d; k += 2) {
      let x = isDown(best, k, d) ? (best.get(k + 1) ?? 0) : (best.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return traced(a, b, trace);
    }
    best = next;
  }
  return [...a.map((text): Edit => ({ kind: '-', text })), ...b.map((text): Edit => ({ kind: '+', text }))];
}

function isDown(best: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && (best.get(k - 1) ?? -1) < (best.get(k + 1) ?? -1));
}

function traced(a: readonly string[], b: readonly string[], trace: readonly Map<number, number>[]): Edit[] {
  const edits: Edit[] = [];
  let [x, y] = [a.length, b.length];
  for (let d = trace.length - 1; d >= 0; d -= 1) {
    const best = trace[d] ?? new Map<number, number>();
    const k = x - y;
    const before = isDown(best, k, d) ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : (best.get(before) ?? 0);
    const fromY = d === 0 ? 0 : fromX - before;
    for (; x > fromX && y > fromY; x -= 1, y -= 1) edits.push({ kind: ' ', text: a[x - 1] ?? '' });
    if (x > fromX) edits.push({ kind: '-', text: a[(x -= 1)] ?? '' });
    else if (y > fromY) edits.push({ kind: '+', text: b[(y -= 1)] ?? '' });
  }
  return edits.toReversed();
}
