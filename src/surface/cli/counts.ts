/** `3 (1 done, 2 waiting)` */
export function countsOf(states: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  const parts = [...counts].map(([state, count]) => `${count} ${state}`);
  return parts.length === 0 ? '0' : `${states.length} (${parts.join(', ')})`;
}
