import { createHash } from 'node:crypto';
import { timeOf } from '../../../schema/time.ts';
import { idFrom } from '../../../task/id.ts';

/**
 * The id of a task that somebody wrote into the file. It follows from what they wrote, so that a reader who may
 * store nothing and the writer who comes after agree on it. Like all ids it sorts by the time the task was made.
 */
export function idFor(name: string, createdAt: string, nth: number): string {
  const ms = Date.parse(timeOf(createdAt) ?? '');
  const hash = createHash('sha256')
    .update(JSON.stringify([name, createdAt, nth]))
    .digest();
  return idFrom(Number.isNaN(ms) ? 0 : ms, hash.readUIntBE(0, 5));
}
