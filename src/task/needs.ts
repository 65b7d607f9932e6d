import type { Lost } from './lost.ts';
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
