import type { FileStore, Finding, ListQuery, ReadNotes, TaskIndex } from '../../store/store.ts';
import type { OrderedView, StoreView } from '../../store/view.ts';
import { tailOf } from '../../task/id.ts';
import type { Order } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import type { QueueProject } from './kind.ts';

type Place = Omit<QueueProject, 'warn'> & Partial<Pick<QueueProject, 'warn'>>;

/** The queue of a root: read without a lock, and opened for writing when somebody writes. */
export function queueStore({ root, dir, env, clock, warn }: Place) {
  let backend: FileStore | undefined;

  /** Opened by the first command that writes, with what only writers need. */
  const writable = async (): Promise<FileStore> => {
    if (backend) return backend;
    const { readConfig } = await import('../../settings/read-config.ts');
    const config = await readConfig(root, env);
    const [{ openStore }, { queueLayout }] = await Promise.all([
      import('../../store/open/open.ts'),
      import('./format/layout.ts'),
    ]);
    backend = await openStore({
      root,
      dir,
      layout: queueLayout,
      clock,
      durability: config.durability,
      lockWaitMs: config.lockWaitSeconds * 1000,
      ...(warn && { warn }),
    });
    return backend;
  };

  /** Without the layout, when nobody has edited the file: that is most of the time, and most of what loading costs. */
  const reader = async () => {
    const [{ openReader }, { lazyQueueLayout }, { viewOf, waitsIn }] = await Promise.all([
      import('../../store/open/open.ts'),
      import('./format/file.ts'),
      import('../../store/view.ts'),
    ]);
    return { store: openReader({ root, dir, layout: lazyQueueLayout }, clock), viewOf, waitsIn };
  };

  const readAll = async (query: ListQuery): Promise<OrderedView> => {
    const { store, viewOf } = await reader();
    return viewOf(store, { ...query, whole: true });
  };

  const readTasks = async (query: ListQuery): Promise<StoreView> => {
    const { store, viewOf } = await reader();
    return viewOf(store, query);
  };

  /** In the order that people see. Most often that is the order of the ids, and the file is not read for it. */
  const listed = async <T>(
    query: ListQuery,
    listIn: (tasks: TaskIndex) => T[],
    shown: (tasks: Task[]) => T[],
  ): Promise<Omit<StoreView, 'tasks'> & { tasks: T[] }> => {
    const { store, waitsIn } = await reader();
    const listedIn = (tasks: TaskIndex, { findings, order }: ReadNotes) => ({
      tasks: order ? shown(inFileOrder(tasks.list(query), order)) : listIn(tasks),
      waits: waitsIn(tasks),
      findings,
    });
    const found = await store.read(query, (tasks, notes) =>
      notes.fromFile || areInOrder(tasks.ids()) ? listedIn(tasks, notes) : undefined,
    );
    return found ?? store.read({ ...query, whole: true }, listedIn);
  };

  const list = (query: ListQuery): Promise<StoreView> =>
    listed(
      query,
      (found) => found.list(query),
      (tasks) => tasks,
    );

  const listTexts = (query: ListQuery): Promise<Omit<StoreView, 'tasks'> & { tasks: string[] }> =>
    listed(
      query,
      (found) => found.listTexts(query),
      (tasks) => tasks.map((task) => JSON.stringify(task)),
    );

  /** As of the last command that wrote. */
  const findings = (): Finding[] => backend?.findings() ?? [];

  return { writable, readAll, readTasks, list, listTexts, findings, close: async () => backend?.close() };
}

/** An id begins with the millisecond in which the task was made: nine characters, all zero in a record without a time. */
const timeLength = 9;
const noTime = '0'.repeat(timeLength);

/**
 * False: the ids say nothing about the order of some tasks, because these have no time, or the same one. Ids that count up
 * were made one after the other by one process, so they are in order.
 */
export function areInOrder(ids: Iterable<string>): boolean {
  const byTime = new Map<string, string[]>();
  for (const id of ids) {
    const time = id.slice(0, timeLength);
    if (time === noTime) return false;
    const same = byTime.get(time);
    if (same) same.push(id);
    else byTime.set(time, [id]);
  }
  return [...byTime.values()].every((same) => same.length < 2 || countUp(same));
}

function countUp(ids: readonly string[]): boolean {
  let [first = '', last = first] = ids;
  for (const id of ids) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  return tailOf(last) - tailOf(first) === ids.length - 1;
}

/** By the time in which tasks were made; tasks of the same time stand as in the file. */
function inFileOrder(tasks: readonly Task[], orderOf: (tasks: Iterable<Task>) => Order | undefined): Task[] {
  const order = orderOf(tasks);
  const place = ({ id }: Task): number => order?.get(id) ?? 0;
  return tasks.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || place(a) - place(b));
}
