const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/** How long ago, in one short word: `12s`, `5m`, `3h`, `9d`. A clock that runs ahead is not an age. */
export function age(since: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(since)) / 1000);
  if (Number.isNaN(seconds)) return '?';
  for (const [unit, size] of units) if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`;
  return `${Math.max(0, seconds)}s`;
}
