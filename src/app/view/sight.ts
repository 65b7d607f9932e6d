import type { KindName } from '../../kinds/names.ts';
import { namedNeed } from '../../render/unmet.ts';
import type { Ledger } from '../../store/ledger.ts';
import { waitsIn, type Waits } from '../../store/waits.ts';
import type { NamedNeed, UnmetNeed } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { isActive, type Status } from '../../task/status.ts';
import { failedDelivery } from '../../task/undelivered.ts';
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

/** What is known of a task without looking into it. */
type Known = { id: string; status: Status; updatedAt: string; undelivered: boolean };

/** Nothing that is over is parsed but the few that are shown. */
export function sightOfLedger(kind: KindName, ledger: Ledger, nameOf: (task: Task) => string): Sight {
  const all: Known[] = [];
  for (const brief of ledger.briefs()) if (!brief.removed) all.push(brief);
  const waits = waitsIn(ledger);
  const active = [...ledger.active()].filter(({ removedAt }) => removedAt === undefined);
  const named = namesBy((id) => ledger.get(id), nameOf);
  return sightOf(all, active, (id) => {
    const task = ledger.get(id);
    return task && { task, row: () => rowOf(kind, nameOf(task), task, named(waits[id])) };
  });
}

export function sightOfTasks(
  kind: KindName,
  tasks: readonly Task[],
  waits: Waits,
  nameOf: (task: Task) => string,
): Sight {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const named = namesBy((id) => byId.get(id), nameOf);
  return sightOf(
    tasks.map((task) => ({ ...task, undelivered: failedDelivery(task) !== undefined })),
    tasks.filter(({ status }) => isActive(status)),
    (id) => {
      const task = byId.get(id);
      return task && { task, row: () => rowOf(kind, nameOf(task), task, named(waits[id])) };
    },
  );
}

function namesBy(get: (id: string) => Task | undefined, nameOf: (task: Task) => string) {
  const called = (id: string) => {
    const task = get(id);
    return task && nameOf(task);
  };
  return (unmet: readonly UnmetNeed[] = []): NamedNeed[] => unmet.map((need) => namedNeed(need, called));
}

type Find = (id: string) => { task: Task; row: () => Row } | undefined;

function sightOf(all: readonly Known[], active: readonly Task[], find: Find): Sight {
  const rowsOf = (known: readonly { id: string }[]) => known.flatMap(({ id }) => find(id)?.row() ?? []);
  const failed: Row[] = [];
  let archived = 0;
  const failures = newest(all.filter(({ status }) => status === 'failed'));
  for (const { id } of failures) {
    if (failed.length >= most.failed) break;
    const found = find(id);
    if (found?.task.archivedAt !== undefined) archived += 1; // somebody has seen to it
    else if (found) failed.push(found.row());
  }
  const { rows: waiting, more } = firstInTurn(rowsOf(active));
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

function newest(known: readonly Known[]): Known[] {
  return known.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

function countsOf(known: readonly { status: Status }[]): Sight['counts'] {
  const counts: Sight['counts'] = {};
  for (const { status } of known) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
