import type { Task } from '../../../task/schema.ts';
import type { Retention } from './manifest.ts';

/** The settings for packets whose manifests say nothing. Absent: nothing happens. */
export interface RetentionPolicy {
  archiveAfterDays?: number;
  deleteArchivedAfterDays?: number;
}

/** A packet, and where it lies. */
interface Lying {
  task: Task;
  /** What its manifest says. */
  retention: Retention | undefined;
  archived: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** What is to become of a packet now, and why. The manifest says what, the settings when; without them it is at once. */
export function retentionOf(
  { task, retention, archived }: Lying,
  policy: RetentionPolicy,
  now: number,
): { action: 'archive' | 'delete' | 'keep'; why: string } {
  const keep = (why: string) => ({ action: 'keep' as const, why });
  if (task.status !== 'done' && task.status !== 'canceled') return keep(`it is ${task.status}, not finished`);
  if (retention === 'keep') return keep('its manifest says retention: keep');
  const action = archived ? 'delete' : 'archive';
  const key = archived ? 'deleteArchivedAfterDays' : 'archiveAfterDays';
  const told = archived ? retention === 'delete' : retention !== undefined;
  if (archived && retention === 'archive') return keep('its manifest says retention: archive');
  const days = policy[key] ?? (told ? 0 : undefined);
  if (days === undefined) return keep(`packets.retention.${key} is not set`);
  const since = archived ? task.archivedAt : task.finishedAt;
  if (since === undefined) return keep('nobody noted when it was archived');
  const word = archived ? 'archived' : 'finished';
  const age = Math.floor((now - Date.parse(since)) / dayMs);
  const because = told ? `its manifest says retention: ${retention}` : `${key} is ${days}`;
  const why = `${word} ${age === 0 ? 'today' : `${age} days ago`}; ${because}`;
  return now - Date.parse(since) >= days * dayMs
    ? { action, why }
    : keep(`${word} ${age} of ${days} days ago`);
}
