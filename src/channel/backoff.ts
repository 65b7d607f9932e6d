const firstMs = 500;
const longestMs = 5 * 60_000;
const spread = 0.2;

/** How long to wait after so many tries: twice as long each time, uneven, so that many do not come back at once. */
export function backoffMs(tries: number, random: number): number {
  const doubled = Math.min(firstMs * 2 ** Math.min(Math.max(tries, 1) - 1, 30), longestMs);
  return Math.round(doubled * (1 - spread + 2 * spread * random));
}
