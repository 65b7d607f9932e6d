import { lostIn, type UnmetNeed, unmetNeeds } from '../task/needs.ts';
import type { Task } from '../task/schema.ts';
import type { Finding, ReadNotes, ReadQuery, StoreReader, TaskIndex } from './store.ts';

/** What each queued task waits for, by its id. A task that waits for nothing is not in it. */
export type Waits = Record<string, UnmetNeed[]>;

export interface StoreView {
  tasks: Task[];
  waits: Waits;
  findings: readonly Finding[];
}

/** With the order of people's file: to look it up costs a look at the file. */
export interface OrderedView extends StoreView, Pick<ReadNotes, 'freed' | 'order'> {}

/** The tasks of a query, and all that is known about them. */
export function viewOf(store: StoreReader, query: ReadQuery = {}): Promise<OrderedView> {
  return store.read(query, (tasks, { findings, freed, order }) => ({
    tasks: tasks.list(query),
    waits: waitsIn(tasks),
    findings,
    freed,
    ...(order && { order }),
  }));
}

export function waitsIn(tasks: TaskIndex): Waits {
  const waits: Waits = {};
  const lostOf = lostIn(tasks);
  for (const task of tasks.active()) {
    if (task.status !== 'queued' || task.needs.length === 0) continue;
    const unmet = unmetNeeds(tasks, task).map((need): UnmetNeed => {
      const lost = lostOf(need);
      return lost ? { ...need, lost } : need;
    });
    if (unmet.length > 0) waits[task.id] = unmet;
  }
  return waits;
}

/** In the order in which tasks were made. */
export function byMaking(a: Task, b: Task): number {
  return Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.rev - b.rev;
}

/** Is it still in the file? */
export function isListed(task: Task): boolean {
  return task.removedAt === undefined && task.archivedAt === undefined;
}

/** Resolves when somebody may have changed something, at the signal, or after so long. */
export async function nextChange(
  store: Pick<StoreReader, 'changes'>,
  signal: AbortSignal,
  withinMs: number,
): Promise<void> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  for await (const _ of store.changes(enough)) return;
}
