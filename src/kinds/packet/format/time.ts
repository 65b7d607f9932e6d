/** A time as the files of a packet have it: UTC, whole seconds. */
export function seconds(at: string): string {
  const ms = Date.parse(at);
  return `${new Date(Number.isNaN(ms) ? 0 : ms).toISOString().slice(0, 19)}Z`;
}
