import { evolve } from '../../../task/evolve.ts';
import type { Event, NewEvent, Task } from '../../../task/schema.ts';
import { phasesThrough, type Phase } from '../../../workflow/phase.ts';
import { stateWord } from './words.ts';

/** What readers of the format want to see beside the facts: each change of phase and of the task's state, in order. */
export function notes(before: Task | undefined, after: Task, facts: readonly NewEvent[]): NewEvent[] {
  const found: NewEvent[] = [];
  let task = before;
  for (const [at, fact] of facts.entries()) {
    const next = at === facts.length - 1 ? after : evolve(task, stamped(fact, after));
    if (!next) continue;
    found.push(...phasesThrough(task, fact, next).map((phase) => phaseNote(next, phase)));
    const [from, to] = [task && stateWord(task), stateWord(next)];
    if (from !== undefined && from !== to)
      found.push(note(next, fact.by, 'task.state.changed', { from, to }));
    task = next;
  }
  return found;
}

function phaseNote(task: Task, state: Phase): NewEvent {
  const goal = state === 'dispatching' && task.run ? { sessionGoal: task.run.goal } : {};
  return note(task, 'controller', 'controller.state.changed', { state, ...goal });
}

function note({ id }: Task, by: string, type: string, payload: Record<string, string>): NewEvent {
  return { type: 'note', taskId: id, by, data: { type, payload } };
}

/** Only to see what it makes of the task on the way; its real stamp is the store's. */
function stamped(fact: NewEvent, { rev, updatedAt }: Task): Event {
  return { ...fact, v: 1, seq: rev, at: updatedAt };
}
