/** The first of many names in a sentence: `a.ts, b.ts and 3 more`. */
export function someNames(names: readonly string[], most: number): string {
  const left = names.length - most;
  return names.slice(0, most).join(', ') + (left > 0 ? ` and ${left} more` : '');
}
