import type { Task } from '../../task/schema.ts';
import { memoryOf } from './format/memory.ts';

/**
 * Docket is to give it to a worker, and nothing has come of that: a run takes it up. What was worked on before and is with
 * nobody now waits for somebody, as a new one does.
 */
export function isOrdered(task: Pick<Task, 'extras' | 'rev'>): boolean {
  const { order } = memoryOf(task);
  return order?.open === true && order.mode === 'spawn';
}
