import { isRejected } from './rejected.ts';
import type { Task } from './schema.ts';

export interface TaskView {
  get(id: string): Task | undefined;
}

/**
 * The way from `id` back to itself if it needed `needs`, or undefined when there is none.
 * Iterative: chains of dependencies come from files and may be longer than the stack.
 */
export function findCycle(
  view: { get(id: string): { needs: readonly string[] } | undefined },
  id: string,
  needs: readonly string[],
): string[] | undefined {
  const cameFrom = new Map<string, string>(needs.map((need) => [need, id]));
  const open = [...new Set(needs)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return path(cameFrom, id);
    for (const need of view.get(next)?.needs ?? []) {
      if (cameFrom.has(need)) continue;
      cameFrom.set(need, next);
      open.push(need);
    }
  }
  return undefined;
}

function path(cameFrom: Map<string, string>, id: string): string[] {
  const back = [id];
  for (let at = cameFrom.get(id); at !== undefined && at !== id; at = cameFrom.get(at)) back.push(at);
  return [id, ...back.slice(1).toReversed(), id];
}

export interface UnmetNeed {
  on: string;
  status: Task['status'] | 'missing';
  /** What nobody but a person gets done: itself, or what it waits for. Filled in for who looks (`lostIn`), not for who picks. */
  lost?: Lost;
}

/** With what people call them, where that is not the id. */
export type NamedNeed = UnmetNeed & { name?: string; lost?: Lost & { name?: string } };

/** A dependency counts only when it is done. */
export function unmetNeeds(view: TaskView, task: Task): UnmetNeed[] {
  const unmet: UnmetNeed[] = [];
  for (const on of new Set(task.needs)) {
    const need = view.get(on);
    if (need === undefined || need.removedAt !== undefined) unmet.push({ on, status: 'missing' });
    else if (need.status !== 'done') unmet.push({ on, status: need.status });
  }
  return unmet;
}

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
