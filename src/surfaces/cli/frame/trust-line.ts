import type { Task } from '../../../task/schema.ts';

/** Whose words a task is, and what follows from that. */
export function trustLine({ trust }: Pick<Task, 'trust'>): string {
  if (!trust) return "high (a person's own words)";
  const { level, source, author, by } = trust;
  const who = author === undefined ? source : `${source}, by ${author}`;
  return `${level} (${who}${by === undefined ? '' : `; decided by ${by}`})`;
}
