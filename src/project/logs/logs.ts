import { attemptLogs } from '../../engine/attempt-logs.ts';
import { sleepUntil } from '../../io/clock.ts';
import type { Project } from '../../settings/project.ts';
import { findTask } from '../tasks/find.ts';
import type { LogEntry, LogQuery } from './api.ts';
import { entriesOf } from './entries.ts';
import { pumped, pumpTask, statusEntry, type Pumping } from './follow.ts';
import { Running } from './running.ts';
import { sourceOf } from './source.ts';

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
