import { attemptLogs } from '../../engine/attempt-logs.ts';
import { DocketError } from '../../errors.ts';
import { sleepUntil } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import { openReader } from '../../store/open/open.ts';
import type { ListQuery, StorePlace } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { findTask } from '../tasks/find.ts';
import { storesIn } from '../tasks/kinds.ts';
import type { LogEntry, LogQuery } from './api.ts';
import { entriesOf } from './entries.ts';
import { pumped, type Pumping, pumpTask, statusEntry } from './follow.ts';
import { type Found, sourceOf } from './source.ts';

const lookMs = 1000;

/** What the agents of a task said, whatever its format: read from their files, never from the agents. */
export async function* readLogs(where: Project, ref: string, query: LogQuery): AsyncGenerator<LogEntry> {
  const found = await findTask(where, ref, query.of);
  const source = sourceOf(where, found);
  if (query.follow) return yield* pumped(query, (pumping) => pumpTask(source, query, pumping));
  for (const log of attemptLogs(source, found.task, query)) yield* entriesOf(source, log, query);
  // Why it does not go on is seldom in what its agents said.
  if (found.task.status === 'blocked' && !query.raw) yield statusEntry(source, found.task);
}

/** Everything that runs in this workspace, and what begins meanwhile, until the signal. */
export function followAll(where: Project, query: LogQuery): AsyncGenerator<LogEntry> {
  return pumped(query, (pumping) => pumpAll(where, query, pumping));
}

async function pumpAll(where: Project, query: LogQuery, pumping: Pumping): Promise<void> {
  const { clock } = where;
  const { signal } = pumping.over;
  const running = new Running(where);
  const busy = new Map<string, Promise<void>>();
  const faults: unknown[] = [];
  const fail = (error: unknown): void => {
    faults.push(error);
    pumping.over.abort();
  };
  while (!signal.aborted) {
    for (const found of await running.look()) {
      const key = `${found.kind} ${found.task.id}`;
      if (busy.has(key)) continue;
      const ends = pumpTask(sourceOf(where, found), query, { ...pumping, fresh: true })
        .catch(fail)
        .finally(() => busy.delete(key));
      busy.set(key, ends);
    }
    await sleepUntil(clock.now() + lookMs, clock, signal);
  }
  await Promise.all(busy.values());
  if (faults.length > 0) throw faults[0];
}

const atWork: ListQuery = { status: ['running', 'review'] };

/** What is worked on in this workspace, over all formats. A store is read again only when its journal has changed. */
class Running {
  readonly #where: Project;
  readonly #known = new Map<string, string>();

  constructor(where: Project) {
    this.#where = where;
  }

  /** Those of the stores in which something happened since the last look. */
  async look(): Promise<Found[]> {
    const found: Found[] = [];
    for (const { kind, name, store } of storesIn(this.#where.root)) {
      const version = await openReader(store, this.#where.clock).version();
      if (version === undefined || this.#known.get(store.dir) === version) continue;
      this.#known.set(store.dir, version);
      for (const task of await this.#tasksIn(store))
        found.push({ kind: kind.name, task, store, name: name ?? kind.nameOf(task) });
    }
    return found;
  }

  /** One that cannot be read hides no other; the next change of it is looked at again. */
  async #tasksIn(store: StorePlace): Promise<Task[]> {
    const { clock } = this.#where;
    try {
      return await openReader(store, clock).read(atWork, (tasks) => tasks.list(atWork));
    } catch (error) {
      if (error instanceof DocketError) return [];
      throw error;
    }
  }
}
