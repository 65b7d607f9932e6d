import type { Task } from '../../../task/schema.ts';
import { clockTime } from './format.ts';

/** `limit, resumes 19:00`: what goes on by itself, and when, where the reader is. The day too when it is far. */
export function resumesText(task: Task, now: number): string {
  if (task.status !== 'blocked' || task.reason.who !== 'docket' || task.reason.resumesAt === undefined)
    return '';
  const { kind, resumesAt } = task.reason;
  return `${kind}, resumes ${clockTime(resumesAt, now)}`;
}

/** Says when it goes on, where the reader is, unless the words themselves do. */
export function andWhen(words: string, how: string, resumesAt: string | undefined): string {
  if (resumesAt === undefined) return words;
  const time = clockTime(resumesAt);
  return words.includes(resumesAt) ? words.replaceAll(resumesAt, time) : `${words} (${how} ${time})`;
}

/** Without the time at their end, where that is told beside them. */
export function withoutTime(words: string, resumesAt: string | undefined): string {
  if (resumesAt === undefined) return words;
  return words.replace(` (until ${resumesAt})`, '').replace(` (tried again ${resumesAt})`, '');
}

export function resumesAtOf(task: Task): string | undefined {
  return task.status === 'blocked' ? task.reason.resumesAt : undefined;
}
