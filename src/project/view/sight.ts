import { namedNeed } from '../../render/unmet.ts';
import type { Brief, TaskIndex } from '../../store/store.ts';
import { waitsIn } from '../../store/view.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { NamedNeed, UnmetNeed } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { isActive, type Status } from '../../task/status.ts';
import { rowOf, type Row } from './row.ts';

/** What the view needs of a store: all that is not over, the latest of what is, and how many there are. */
export interface Sight {
  tasks: number;
  counts: Partial<Record<Status, number>>;
  rows: Row[];
  /** Of which there is no row. */
  more: { failed: number; waiting: number };
}

/** So many of each are kept: who wants more of them lists them. */
const most = { failed: 100, waiting: 100, ended: 10, undelivered: 100 };

/** Nothing that is over is parsed but the few that are shown. */
export function sightOf(kind: KindName, tasks: TaskIndex, nameOf: (task: Task) => string): Sight {
  const all = [...tasks.briefs()].filter(({ removed }) => !removed);
  const waits = waitsIn(tasks);
  const active = [...tasks.active()].filter(({ removedAt }) => removedAt === undefined);
  const called = (id: string) => {
    const task = tasks.get(id);
    return task && nameOf(task);
  };
  const named = (unmet: readonly UnmetNeed[] = []): NamedNeed[] =>
    unmet.map((need) => namedNeed(need, called));
  const row = (task: Task): Row => rowOf(kind, nameOf(task), task, named(waits[task.id]));
  const rowsOf = (known: readonly Brief[]) => known.flatMap(({ id }) => tasks.get(id) ?? []).map(row);
  const failed: Row[] = [];
  let archived = 0;
  const failures = newest(all.filter(({ status }) => status === 'failed'));
  for (const { id } of failures) {
    if (failed.length >= most.failed) break;
    const task = tasks.get(id);
    if (task?.archivedAt !== undefined) archived += 1; // somebody has seen to it
    else if (task) failed.push(row(task));
  }
  const { rows: waiting, more } = firstInTurn(active.map(row));
  const over = newest(all.filter(({ status }) => status === 'done' || status === 'canceled'));
  // What did not get to where it was asked for needs a person, however old it is.
  const undelivered = over.slice(most.ended).filter((known) => known.undelivered);
  const ended = [...over.slice(0, most.ended), ...undelivered.slice(0, most.undelivered)];
  return {
    tasks: all.length,
    counts: countsOf(all),
    rows: [...waiting, ...failed, ...rowsOf(ended)],
    more: { failed: failures.length - failed.length - archived, waiting: more },
  };
}

/** Of those that wait for nothing but their turn only the first are kept. */
function firstInTurn(rows: readonly Row[]): { rows: Row[]; more: number } {
  const isPlain = ({ status, unmet, steps, lease }: Row) => status === 'queued' && !unmet && !steps && !lease;
  const plain = rows.filter(isPlain).toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
  const kept = [...rows.filter((row) => !isPlain(row)), ...plain.slice(0, most.waiting)];
  return { rows: kept, more: Math.max(0, plain.length - most.waiting) };
}

/** The same of tasks that lie in a folder each, of all of which there is a row. */
export function sightOfRows(all: readonly Row[]): Sight {
  const of = (...statuses: Status[]) => all.filter(({ status }) => statuses.includes(status));
  const { rows, more } = firstInTurn(all.filter(({ status }) => isActive(status)));
  const failed = latest(of('failed'));
  const kept = failed.slice(0, most.failed);
  return {
    tasks: all.length,
    counts: countsOf(all),
    rows: [...rows, ...kept, ...latest(of('done', 'canceled')).slice(0, most.ended)],
    more: { failed: failed.length - kept.length, waiting: more },
  };
}

function latest(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (a.since < b.since ? 1 : -1));
}

function newest(known: readonly Brief[]): Brief[] {
  return known.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

function countsOf(known: readonly { status: Status }[]): Sight['counts'] {
  const counts: Sight['counts'] = {};
  for (const { status } of known) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
