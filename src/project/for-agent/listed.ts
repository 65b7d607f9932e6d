import { DocketError } from '../../errors.ts';
import { causeOf } from '../../render/explain/cause.ts';
import { first } from '../../render/explain/words.ts';
import { visibleText } from '../../render/visible-text.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { StorePlace } from '../../store/store.ts';
import { viewOf } from '../../store/view.ts';
import type { KindName } from '../../task/kind-names.ts';
import type { UnmetNeed } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import type { Status } from '../../task/status.ts';
import { kindNamed, storesIn } from '../tasks/kinds.ts';
import type { AgentList, AgentQuery, TaskRow } from './api.ts';
import { assertInside } from './inside.ts';

/** What somebody has to look at comes first; of the same, what changed last. */
const order: readonly Status[] = ['blocked', 'review', 'failed', 'running', 'queued', 'done', 'canceled'];
const over: ReadonlySet<Status> = new Set(['done', 'canceled']);

export async function listedFor(where: Project, { kind, status }: AgentQuery): Promise<AgentList> {
  assertInside(where.root);
  const wanted = status && new Set(status);
  const problems: string[] = [];
  const counts: AgentList['counts'] = {};
  const tasks: TaskRow[] = [];
  for (const { kind: found, store } of storesIn(where.root)) {
    if (kind !== undefined && found.name !== kind) continue;
    for (const row of await rowsOf(found.name, store, where, problems)) {
      counts[row.status] = (counts[row.status] ?? 0) + 1;
      if (wanted ? wanted.has(row.status) : !over.has(row.status)) tasks.push(row);
    }
  }
  return { tasks: tasks.toSorted(byUrgency), counts, problems };
}

/** A store that cannot be read, or that leads out of the project, hides no other. */
async function rowsOf(
  kind: KindName,
  store: StorePlace,
  { root, clock }: Project,
  problems: string[],
): Promise<TaskRow[]> {
  try {
    if (store.root !== root) assertInside(root, store.root.slice(store.root.lastIndexOf('/') + 1));
    const { tasks, waits, findings } = await viewOf(openReader(store, clock));
    problems.push(...findings.map(({ path, message }) => visibleText(`${path}: ${message}`)));
    return tasks
      .filter(({ archivedAt }) => archivedAt === undefined)
      .map((task) => rowOf(kind, task, waits[task.id]));
  } catch (error) {
    if (!(error instanceof DocketError)) throw error;
    problems.push(visibleText(error.message));
    return [];
  }
}

/** Nothing in what others wrote is hidden from the one who reads it. */
export function rowOf(kind: KindName, task: Task, waits: readonly UnmetNeed[] | undefined): TaskRow {
  const { owner, status, updatedAt } = task;
  const name = kindNamed(kind).nameOf(task);
  const id = kindNamed(kind).idOf(task);
  return {
    kind,
    id,
    ...(name !== id && { name: visibleText(name) }),
    title: visibleText(first(task.title)),
    status,
    ...(owner !== undefined && { owner: visibleText(owner) }),
    why: visibleText(first(causeOf(task, waits).text)),
    updatedAt,
  };
}

function byUrgency(a: TaskRow, b: TaskRow): number {
  return (
    order.indexOf(a.status) - order.indexOf(b.status) || Date.parse(b.updatedAt) - Date.parse(a.updatedAt)
  );
}
