const short = /^T-0?([1-9]\d?)$/;
const widest = 6;

/** Without the zeros that the board writes: an id in people's words, which has to be looked up before it is one. */
export function isShortId(id: string): boolean {
  return short.test(id);
}

/** `T-1` for `T-001`, where no task has that very id and only one can be meant. */
export function wholeId(id: string, has: (id: string) => boolean): string {
  const number = short.exec(id)?.[1];
  if (number === undefined || has(id)) return id;
  const padded = Array.from({ length: widest }, (_, width) => `T-${number.padStart(width + 1, '0')}`);
  const meant = [...new Set(padded)].filter(has);
  return meant.length === 1 ? (meant[0] ?? id) : id;
}
