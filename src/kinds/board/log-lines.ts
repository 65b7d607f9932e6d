import type { Event } from '../../task/schema.ts';
import { lookAt, type Desk } from './desk.ts';
import { readBoard } from './look.ts';

/** The lines that were written down together, the first of which is this one. */
export function transactionAt(desk: Desk, seq: number): Promise<Event[]> {
  return linesUntil(desk, seq - 1, ({ more = 0 }) => more === 0);
}

/** What was written down about these tasks since that line, up to now. */
export async function linesSince(desk: Desk, after: number, ids: readonly string[]): Promise<Event[]> {
  const { seq } = await lookAt(desk);
  if (ids.length === 0 || seq <= after) return [];
  const lines = await linesUntil(desk, after, (event) => event.seq >= seq);
  return lines.filter(({ taskId }) => ids.includes(taskId));
}

async function linesUntil(
  { where }: Desk,
  after: number,
  isLast: (event: Event) => boolean,
): Promise<Event[]> {
  const enough = new AbortController();
  const lines: Event[] = [];
  for await (const event of readBoard(where).tail({ after, signal: enough.signal })) {
    lines.push(event);
    if (isLast(event)) enough.abort();
  }
  return lines;
}
