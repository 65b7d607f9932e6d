/** What is another at every run, or on every machine. Both sides go through it, so that pages show real values. */
const volatile = [
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/\b\d{8}[T-]\d{6}\b/g, 'TIME'], // in names of branches and folders
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UUID'],
  [/\bev-[0-9a-f]{16}\b/g, 'EVIDENCE'],
  [/\b\d[a-z][0-9a-z]{14}\b/g, 'TASK'],
  [/(?<=[a-z]-)[0-9a-z]{6}(?=[\s/\]:;,]|$)/gm, 'TAIL'], // the end of a task's id, in the same names
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g, 'HASH'],
  [/\bdocket-\d+\b/g, 'PROCESS'],
  [/\b\d+(?:\.\d+)? (?:ms|s|[kMGT]?B)\b|\b\d+(?:\.\d+)?[smhdMk]\b/g, 'AMOUNT'], // of time, of bytes
  [/\b\d+%/g, 'PERCENT'],
  [/\b(Node|git) v?\d+\.\d+\.\d+/g, '$1 VERSION'],
  [/^ *\d+(?= +(?:running|stray) )/gm, 'PID'],
  [/ {2,}/g, '  '], // columns are as wide as what is in them
  [/[ \t]+$/gm, ''],
];

function normalised(text) {
  return volatile.reduce((now, [pattern, word]) => now.replaceAll(pattern, word), text);
}

/**
 * Undefined: the page is right. In a page `…` stands for any words of a line, and a line that is nothing else for any
 * number of lines.
 */
export function compare({ line, text }, printed) {
  const wanted = text === '' ? [] : text.split('\n');
  const found = printed === '' ? [] : printed.split('\n');
  const furthest = reach(wanted.map(fits), found.map(normalised));
  if (furthest === undefined) return undefined;
  const [want, find] = furthest;
  return [
    `${line + 1 + want}: the page and the program differ`,
    ...wanted.slice(want).map((row) => `- ${row}`),
    ...found.slice(find).map((row) => `+ ${row}`),
  ].join('\n');
}

/** A test of one line; undefined: it stands for any number of lines. */
function fits(row) {
  if (row.trim() === '…') return undefined;
  const parts = normalised(row)
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return (found) => pattern.test(found);
}

/** Undefined: all of it fits. Otherwise how far it does, in lines of both sides. */
function reach(wanted, found) {
  let best = [0, 0];
  const from = (want, find) => {
    if (want + find > best[0] + best[1]) best = [want, find];
    if (want === wanted.length) return find === found.length;
    const test = wanted[want];
    if (test) return find < found.length && test(found[find]) && from(want + 1, find + 1);
    for (let skip = find; skip <= found.length; skip += 1) if (from(want + 1, skip)) return true;
    return false;
  };
  return from(0, 0) ? undefined : best;
}
