import type { Task } from '../../task/schema.ts';

const halfDayMs = 12 * 3_600_000;

/** `limit, resumes 19:00`: what goes on by itself, and when, where the reader is. The day too when it is far. */
export function resumesText(task: Task, now: number): string {
  if (task.status !== 'blocked' || task.reason.who !== 'docket' || task.reason.resumesAt === undefined)
    return '';
  const { kind, resumesAt } = task.reason;
  const time = new Date(resumesAt);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} `;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  return `${kind}, resumes ${time.getTime() - now < halfDayMs ? '' : day}${clock}`;
}

/** Says when it goes on, unless the words themselves do. */
export function andWhen(words: string, how: string, resumesAt: string | undefined): string {
  return resumesAt === undefined || words.includes(resumesAt) ? words : `${words} (${how} ${resumesAt})`;
}

/** Without the time at their end, where that is told beside them. */
export function withoutTime(words: string, resumesAt: string | undefined): string {
  if (resumesAt === undefined) return words;
  return words.replace(` (until ${resumesAt})`, '').replace(` (tried again ${resumesAt})`, '');
}

export function resumesAtOf(task: Task): string | undefined {
  return task.status === 'blocked' ? task.reason.resumesAt : undefined;
}
