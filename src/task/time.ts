/** Times are text with any offset and precision ("…T12:00:00+02:00", "…T10:00:00.5Z"): text order is not time order. */
export function isAfter(time: string, other: string): boolean {
  return Date.parse(time) > Date.parse(other);
}
