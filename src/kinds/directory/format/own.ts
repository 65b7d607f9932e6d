import { salvage } from '../../../schema/check.ts';
import type { Json } from '../../../task/json.ts';
import type { Task } from '../../../task/schema.ts';
import { ownSchema, type Own, type TaskFile } from './task-file.ts';

/**
 * What a task keeps of task.yaml, in `extras.agentmesh`: milestones and settings, roster entries and gates that are not
 * docket's, and when another tool last wrote the file, which holds until something happens to the task.
 */
export type Kept = Own & { said?: { state: string; updatedAt: string } };

/** Extras come from journals, which people and other tools can write: what makes no sense is left out. */
export function ownOf(task: Pick<Task, 'extras'>): Kept {
  const extras: Record<string, Json> = task.extras['agentmesh'] ?? {};
  const own = salvage(ownSchema, extras);
  const { state, updatedAt } = Object(extras['said']) as Record<string, Json>;
  const whole = typeof state === 'string' && typeof updatedAt === 'string';
  return whole ? { ...own, said: { state, updatedAt } } : own;
}

/** What a file says that is not docket's to say. */
export function ownIn({ topology, milestones, roster, gates, config }: TaskFile): Own {
  return { topology, milestones, roster, gates, config };
}
