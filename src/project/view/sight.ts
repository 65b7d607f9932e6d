import { namedNeed } from '../../render/unmet.ts';
import type { TaskIndex } from '../../store/store.ts';
import { waitsIn } from '../../store/view.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { KindName } from '../../task/kind-names.ts';
import { rank } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import { isActive, type Status } from '../../task/status.ts';
import type { FolderTask } from './folders.ts';
import { rowOf, sinceOf, type Row } from './row.ts';

/** What the view needs of a store: all that is not over, the latest of what is, and how many there are. */
export interface Sight {
  tasks: number;
  counts: Partial<Record<Status, number>>;
  rows: Row[];
  /** Of which there is no row. */
  more: { failed: number; waiting: number };
}

/** So many of each are kept: who wants more of them lists them. */
const most = { failed: 100, waiting: 100 };
export const mostEnded = 10;

/** Nothing that is over is parsed but the few that are shown. */
export function sightOf(kind: KindName, tasks: TaskIndex, nameOf: (task: Task) => string): Sight {
  const { counts, archived, failed, ended } = tasks.overview();
  const waits = waitsIn(tasks);
  const called = (id: string) => {
    const task = tasks.get(id);
    return task && nameOf(task);
  };
  const row = (task: Task): Row =>
    rowOf(
      kind,
      nameOf(task),
      task,
      (waits[task.id] ?? []).map((need) => namedNeed(need, called)),
    );
  const active = [...tasks.active()]
    .filter(({ removedAt }) => removedAt === undefined)
    .map((task) => ({ task, turn: rank(task) }));
  const { first, more } = firstInTurn(active, ({ id }) => waits[id] !== undefined);
  const over = [...failed, ...ended].flatMap(({ id }) => tasks.get(id) ?? []);
  return {
    tasks: sum(counts),
    counts,
    rows: [...first.map(({ task }) => task), ...over].map(row),
    more: { failed: (counts.failed ?? 0) - archived - failed.length, waiting: more },
  };
}

/** Of those that wait for nothing but their turn only the first are kept. */
function firstInTurn<T extends { task: Task; turn: number }>(
  active: readonly T[],
  isWaiting: (task: Task) => boolean,
): { first: T[]; more: number } {
  const isPlain = ({ task }: T) =>
    task.status === 'queued' && !task.lease && openAttempts(task).length === 0 && !isWaiting(task);
  const plain = active.filter(isPlain).toSorted((a, b) => a.turn - b.turn);
  const first = [...active.filter((one) => !isPlain(one)), ...plain.slice(0, most.waiting)];
  return { first, more: Math.max(0, plain.length - most.waiting) };
}

/** The same of tasks that lie in a folder each. `over`: which of the names are, in their order (`FoldersCache`). */
export function sightOfFolders(
  kind: KindName,
  names: readonly string[],
  over: readonly string[],
  tasks: Readonly<Record<string, FolderTask>>,
): Sight {
  const counts: Sight['counts'] = {};
  names.forEach((name, index) => {
    const status = over[index]
      ? over[index].startsWith('d')
        ? 'done'
        : 'canceled'
      : tasks[name]?.task.status;
    if (status) counts[status] = (counts[status] ?? 0) + 1;
  });
  const all = Object.entries(tasks).map(([name, { task, at }]) => ({
    name,
    task,
    at,
    turn: at ?? rank(task),
  }));
  const { first, more } = firstInTurn(
    all.filter(({ task }) => isActive(task.status)),
    () => false,
  );
  const failed = latest(all.filter(({ task }) => task.status === 'failed'));
  const kept = failed.slice(0, most.failed);
  const ended = latest(all.filter(({ task }) => task.status === 'done' || task.status === 'canceled'));
  const rows = [...first, ...kept, ...ended.slice(0, mostEnded)].map(({ name, task, at }) => {
    const row = rowOf(kind, name, task, []);
    return at === undefined ? row : { ...row, since: new Date(at).toISOString(), turn: at };
  });
  return { tasks: sum(counts), counts, rows, more: { failed: failed.length - kept.length, waiting: more } };
}

function latest<T extends { task: Task }>(tasks: readonly T[]): T[] {
  const since = ({ task }: T): string => sinceOf(task);
  return tasks.toSorted((a, b) => (since(a) < since(b) ? 1 : -1));
}

function sum(counts: Sight['counts']): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}
