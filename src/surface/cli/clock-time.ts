const halfDayMs = 12 * 3_600_000;
const two = (value: number): string => String(value).padStart(2, '0');

/** `19:00`, where the reader is. With the day too when it is far from `now`, or where nobody says what is near. */
export function clockTime(at: string, now?: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  if (now !== undefined && time.getTime() - now < halfDayMs) return clock;
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}
