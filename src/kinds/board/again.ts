import { only, type Done } from './act.ts';
import { lookAt, type Desk } from './desk.ts';
import type { Intent } from './format/intent.ts';
import { transactionAt } from './log-lines.ts';
import { meanings } from './told-meaning.ts';

/** The answer to what was asked and done before: the same facts, and the tasks as they are now. */
export async function again(desk: Desk, intent: Intent, seq: number): Promise<Done> {
  const facts = await transactionAt(desk, seq);
  if (intent.intent === 'create_project') {
    const count = facts.filter(({ type }) => type === 'task.created').length;
    return { outcome: { kind: 'project_created', name: intent.name, count }, events: facts };
  }
  const { get } = await lookAt(desk);
  for (const { event, order, meant } of meanings(facts)) {
    const task = get(event.taskId);
    if (!task) continue;
    if (order) return { outcome: { kind: 'dispatched', task, ...order }, events: facts };
    const { now: _, ...told } = meant;
    return { outcome: { kind: 'moved', ...told, task }, events: facts };
  }
  const taskId = facts[0]?.taskId;
  const about = taskId === undefined ? {} : { taskId };
  return only({ kind: 'refused', code: 'not_found', intent: intent.intent, ...about });
}
