import type { TaskView, UnmetNeed } from './needs.ts';
import { isRejected } from './rejected.ts';
import type { Task } from './schema.ts';

/** Work that stands still for good: nothing takes it up again unless a person does. */
export interface Lost {
  on: string;
  status: 'missing' | 'canceled' | 'failed' | 'rejected';
}

/**
 * The one place that says which needs are lost: what stands still for good, and what waits for such work, however far behind it.
 * Each task is looked at once. Iterative: chains come from files and may be longer than the stack.
 */
export function lostIn(view: TaskView): (need: UnmetNeed) => Lost | undefined {
  const known = new Map<string, Lost | undefined>();
  return ({ on }) => {
    const way: { id: string; left: string[] }[] = [];
    const look = (id: string): Lost | undefined => {
      if (known.has(id)) return known.get(id);
      const task = view.get(id);
      const status = standsAs(task);
      const lost = status && { on: id, status };
      known.set(id, lost); // also where nobody knows yet: a circle must end
      if (task?.status === 'queued' && !lost) way.push({ id, left: task.needs.toReversed() });
      return lost;
    };
    let found = look(on);
    for (let last = way.at(-1); last && !found; last = way.at(-1)) {
      const need = last.left.pop();
      if (need === undefined) way.pop();
      else found = look(need);
    }
    for (const { id } of way) known.set(id, found);
    return found;
  };
}

function standsAs(task: Task | undefined): Lost['status'] | undefined {
  if (!task || task.removedAt !== undefined) return 'missing';
  if (task.status === 'failed') return isRejected(task) ? 'rejected' : 'failed';
  return task.status === 'canceled' ? 'canceled' : undefined;
}
