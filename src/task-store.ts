import { AsyncLocalStorage } from 'node:async_hooks';
import path from 'node:path';
import { DocketError } from './errors.ts';
import { systemClock, type Clock } from './io/clock.ts';
import { readBytes } from './io/files.ts';
import { lazyQueueLayout } from './kinds/queue/format/file.ts';
import { queueLayout as layout } from './kinds/queue/format/layout.ts';
import { changesTo, type TaskRecord } from './kinds/queue/format/records.ts';
import type { Sheet } from './layout/layout.ts';
import { applyTogether } from './store/execute.ts';
import { reconcile } from './store/file/reconcile.ts';
import { openReader, openStore } from './store/open/open.ts';
import type { Finding, Store } from './store/store.ts';
import { lockStore } from './store/upkeep/store-files.ts';
import type { Fields } from './task/json.ts';
import type { Task } from './task/schema.ts';

export type { TaskRecord };

/** The queue as records of `tasks.yaml`, for programs that know that file and not docket's commands. */
export interface TaskStore {
  /** Takes no lock and writes nothing. `findings`: records that cannot be read, which are not among the tasks. */
  read(): Promise<TasksFileData>;
  /** Changes records as an edit of the file would, all or nothing. An invalid result is an error and changes nothing. */
  update(mutator: Mutator): Promise<TasksFileData>;
  /** Nobody else writes to the queue meanwhile: no docket process, and no other tool that knows `tasks.yaml.lock`. */
  withLock<T>(use: () => T | Promise<T>): Promise<T>;
}

export interface TasksFileData {
  tasks: TaskRecord[];
  findings: readonly Finding[];
}

/** Gets what the file says and returns what it should say, or changes what it got. It is called under the lock. */
type Mutator = (current: { tasks: TaskRecord[] }) => { tasks: TaskRecord[] } | void;

export interface TaskStoreOptions {
  clock?: Clock;
  /** How long the lock is waited for. */
  lockWaitMs?: number;
  warn?: (warning: string) => void;
}

/** The roots whose lock this call has, however deep it has gone. */
const inside = new AsyncLocalStorage<ReadonlySet<string>>();
const defaultWaitMs = 5000;

export function openTaskStore(root: string, options: TaskStoreOptions = {}): TaskStore {
  const { clock = systemClock, lockWaitMs = defaultWaitMs, warn } = options;
  const where = { root: path.resolve(root), dir: path.join(path.resolve(root), '.docket', 'queue'), layout };
  const open = () => openStore({ ...where, clock, lockWaitMs, ...(warn && { warn }) });

  const within = <T>(use: () => T): T => {
    const held = inside.getStore() ?? new Set();
    return inside.run(new Set([...held, where.root]), use);
  };
  const assertFree = (): void => {
    if (!inside.getStore()?.has(where.root)) return;
    const fix = 'do it in one update, or after the lock is free';
    throw new DocketError('REFUSED', 'TaskStore: reentrant lock detected', fix, { root: where.root });
  };

  return {
    async read() {
      return openReader({ ...where, layout: lazyQueueLayout }, clock).read({}, (tasks, { findings }) => ({
        tasks: recordsOf(tasks.list(), sheetAt(where.root)).map(({ record }) => record),
        findings,
      }));
    },
    async update(mutator) {
      assertFree();
      const store = await open();
      let failed: { error: unknown } | undefined;
      try {
        await updateIn(store, where.root, (current) => {
          try {
            return within(() => mutator(current));
          } catch (error) {
            failed = { error };
            throw error;
          }
        });
      } catch (error) {
        throw failed ? failed.error : error; // the mutator's own, as it is
      } finally {
        await store.close();
      }
      return this.read();
    },
    async withLock(use) {
      assertFree();
      await (await open()).close(); // makes the store where there is none, and brings its files up to date
      const lock = layout.lock && path.join(where.root, layout.lock);
      return lockStore(where, () => within(use), { waitMs: lockWaitMs, mirrorLock: lock });
    },
  };
}

function updateIn(store: Store, root: string, mutator: Mutator): Promise<void> {
  return store.exclusive([], (ledger, commit, now) => {
    const sheet = sheetAt(root);
    const before = recordsOf(ledger.list(), sheet);
    const { base, file, running } = changesTo(before, mutator);
    const ids = new Map(before.map(({ ref, task }) => [ref, task.id]));
    const find = (ref: string): Task | undefined => ledger.get(ids.get(ref) ?? '');
    const { edits, wrongs } = reconcile(layout, base, file, { find, get: (id) => ledger.get(id) });
    const [wrong] = Object.entries(wrongs);
    if (wrong) throw invalid(`${wrong[0]}: ${wrong[1].message}`, wrong[1].fix);
    if (running !== undefined)
      throw invalid(`${running} is running and cannot be taken out`, 'cancel it first');
    const done = applyTogether(
      ledger,
      edits.flatMap(({ commands }) => commands),
      now,
      commit,
    );
    if (!done.ok) throw invalid(done.message, 'leave that record as it is');
  });
}

/** As the file shows them, or will in a moment. */
function recordsOf(tasks: readonly Task[], sheet: Sheet): { ref: string; task: Task; record: TaskRecord }[] {
  return tasks.flatMap((task) => {
    const fields: Fields | undefined = layout.describe(task, sheet);
    return fields ? [{ ref: layout.ref(task), task, record: structuredClone(fields) as TaskRecord }] : [];
  });
}

function sheetAt(root: string): Sheet {
  return layout.split(readBytes(path.join(root, layout.mirror))?.toString('utf8'));
}

function invalid(message: string, fix: string): DocketError {
  return new DocketError('INVALID', `nothing was changed: ${message}`, fix);
}
