import type { Where } from '../../app/one-store.ts';
import type { Clock } from '../../io/clock.ts';
import type { FileStore } from '../../store/file/file-store.ts';
import type { OrderedView, StoreView } from '../../store/file/reader.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { Finding, ListQuery } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { areInOrder, inFileOrder } from './list-order.ts';

interface Place extends Pick<Where, 'root' | 'env'> {
  dir: string;
  clock: Clock;
  warn?: (warning: string) => void;
}

/** The queue of a root: read without a lock, and opened for writing when somebody writes. */
export function queueStore({ root, dir, env, clock, warn }: Place) {
  let backend: FileStore | undefined;

  /** Opened by the first command that writes, with what only writers need. */
  const writable = async (): Promise<FileStore> => {
    if (backend) return backend;
    const { readConfig } = await import('../../app/config.ts');
    const config = await readConfig(root, env);
    const [{ openFileStore }, { queueLayout }] = await Promise.all([
      import('../../store/file/file-store.ts'),
      import('./format/layout.ts'),
    ]);
    backend = await openFileStore({
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

  const readAll = async (query: ListQuery): Promise<OrderedView> => {
    const [{ readStore }, { queueLayout }] = await Promise.all([
      import('../../store/file/reader.ts'),
      import('./format/layout.ts'),
    ]);
    return readStore({ root, dir, layout: queueLayout, clock }, query);
  };

  /** Without the layout, when nobody has edited the file: that is most of the time, and most of what loading costs. */
  const readQuiet = async () => {
    const [{ readQuietStore }, { queueFile }, { waitsIn }] = await Promise.all([
      import('../../store/file/quiet-reader.ts'),
      import('./format/file.ts'),
      import('../../store/waits.ts'),
    ]);
    const quiet = await readQuietStore({ root, dir, mirror: queueFile, clock });
    return quiet && { quiet, waits: waitsIn(quiet) };
  };

  const readTasks = async (query: ListQuery): Promise<StoreView> => {
    const found = await readQuiet();
    return found ? { tasks: found.quiet.list(query), waits: found.waits, findings: [] } : readAll(query);
  };

  /** In the order that people see. Most often that is the order of the ids, and the file is not read for it. */
  const listed = async <T>(
    query: ListQuery,
    quietly: (quiet: Ledger) => T[],
    shown: (tasks: Task[]) => T[],
  ): Promise<Omit<StoreView, 'tasks'> & { tasks: T[] }> => {
    const found = await readQuiet();
    if (found && areInOrder(found.quiet.ids()))
      return { tasks: quietly(found.quiet), waits: found.waits, findings: [] };
    const { tasks, waits, findings, order } = await readAll(query);
    return { tasks: shown(inFileOrder(tasks, order)), waits, findings };
  };

  const list = (query: ListQuery): Promise<StoreView> =>
    listed(
      query,
      (quiet) => quiet.list(query),
      (tasks) => tasks,
    );

  const listTexts = (query: ListQuery): Promise<Omit<StoreView, 'tasks'> & { tasks: string[] }> =>
    listed(
      query,
      (quiet) => quiet.listTexts(query),
      (tasks) => tasks.map((task) => JSON.stringify(task)),
    );

  /** As of the last command that wrote. */
  const findings = (): Finding[] => backend?.findings() ?? [];

  return { writable, readAll, readTasks, list, listTexts, findings, close: async () => backend?.close() };
}
