/** The known word nearest to what was typed, if it is near enough to be a slip. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  const word = typed.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.ceil(word.length / 3)) + 1;
  for (const candidate of known) {
    const lower = candidate.toLowerCase();
    // What was typed may be a whole text; then no word is near, and no table is needed to know it.
    const isNear = Math.abs(word.length - lower.length) <= 4;
    const distance = Math.min(shortening(word, lower), isNear ? editDistance(word, lower) : Infinity);
    if (distance < bestDistance && distance < lower.length) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `did you mean "plan"?`, or else what may be written. */
export function didYouMean(typed: string, known: Iterable<string>, otherwise: string): string {
  const guess = nearest(typed, known);
  return guess === undefined ? otherwise : `did you mean "${guess}"?`;
}

/** Half of a word, typed right, is nearer than any slip; its main letters (`ls`) are about as near. */
function shortening(short: string, word: string): number {
  if (short.length < 2 || short.length > word.length || short[0] !== word[0]) return Infinity;
  if (word.startsWith(short)) return 0.5;
  // Letters that are scattered over a long word are no short form of it.
  if (short.length * 4 < word.length) return Infinity;
  let at = 0;
  for (const char of word) if (char === short[at]) at++;
  return at === short.length ? 1.5 : Infinity;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      now.push(cost);
    }
    beforeLast = last;
    last = now;
  }
  return last[b.length] ?? Infinity;
}
