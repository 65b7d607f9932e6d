import { Queue } from '../../adapters/acp/queue.ts';
import { attemptLogs, calledIn, hasEnded, isKnown, type AttemptLog } from '../../engine/attempt-logs.ts';
import { causeOf } from '../../render/explain/cause.ts';
import { nextChange } from '../../store/view.ts';
import type { Task } from '../../task/schema.ts';
import { nextOf } from '../tasks/next.ts';
import type { LogEntry, LogQuery } from './api.ts';
import { entriesOf, isAway, liveEntriesOf } from './entries.ts';
import type { Source } from './source.ts';

/** A worker that dies writes nothing: so often it is asked for, whatever the journal says. */
const askMs = 5000;
/** An attempt's files may be there before the store knows of it. */
const lookMs = 1000;

/** Where entries go, and when to stop. */
export interface Pumping {
  push: (entry: LogEntry) => void;
  over: AbortController;
  /** Attempts that ended before are left out. */
  fresh?: boolean;
}

/** Those of one or many pumps as one stream. It ends when they have, or its reader leaves. */
export async function* pumped(
  query: LogQuery,
  pump: (pumping: Pumping) => Promise<void>,
): AsyncGenerator<LogEntry> {
  const entries = new Queue<LogEntry>();
  const over = new AbortController();
  const stop = () => over.abort();
  query.signal.addEventListener('abort', stop, { once: true });
  if (query.signal.aborted) stop();
  const all = pump({ push: (entry) => entries.push(entry), over }).finally(() => entries.close());
  all.catch(() => undefined); // told below, when everything that came before it was read
  try {
    yield* entries.all();
  } finally {
    stop();
    query.signal.removeEventListener('abort', stop);
    await all;
  }
}

/**
 * Attempts that ended come one after the other; those that run, as they speak, until the task has ended or waits for a
 * person. While nobody works on it, it is waited for: a docket that was killed is followed by the next one.
 */
export async function pumpTask(source: Source, query: LogQuery, pumping: Pumping): Promise<void> {
  const { push, over } = pumping;
  const seen = new Set<string>();
  const open: Promise<void>[] = [];
  // One task's end must not end the others that are followed.
  const mine = new AbortController();
  const signal = AbortSignal.any([mine.signal, over.signal]);
  let task = await source.now();
  let told = '';
  let failed: { error: unknown } | undefined;
  const look = async (now: Task, isFirst: boolean): Promise<void> => {
    for (const found of attemptLogs(source, now, query)) {
      const key = `${found.step} ${found.attempt}`;
      if (seen.has(key)) continue;
      // A call is journalled before it leaves anything: who does not know it has read the journal too early.
      if (!isKnown(found, task ?? now)) task = (await source.now()) ?? task;
      const log = { ...found, ...calledIn(task ?? now, found) };
      seen.add(key);
      const ended = () => hasEnded(log, task ?? now);
      if (ended()) {
        if (!(pumping.fresh && isFirst)) await pumpStill(source, log, query, push).catch(forget(key));
      } else open.push(pumpLive(log, ended).catch(forget(key)).catch(fail));
    }
  };
  const pumpLive = async (log: AttemptLog, ended: () => boolean): Promise<void> => {
    const read = async (stream: 'stdout' | 'stderr'): Promise<void> => {
      const how = { stream, over: signal, hasEnded: ended };
      for await (const entry of liveEntriesOf(source, log, query, how)) push(entry);
    };
    await Promise.all([read('stdout'), read('stderr')]);
  };
  const forget = (key: string) => (error: unknown) => {
    if (!isAway(error)) throw error;
    seen.delete(key);
  };
  const fail = (error: unknown): void => {
    failed ??= { error };
    mine.abort();
  };
  try {
    for (let asked = performance.now(), isFirst = true; task; isFirst = false) {
      await look(task, isFirst);
      const text = `${task.status} ${causeOf(task, [], nextOf(source.kind).idle(task, source.name)?.text).text}`;
      if (text !== told && !signal.aborted) push(statusEntry(source, task));
      told = text;
      if (isEnd(task) || signal.aborted) break;
      const before = await source.store.version();
      await nextChange(source.store, signal, lookMs);
      if ((await source.store.version()) === before && performance.now() - asked < askMs) continue;
      [task, asked] = [await source.now(), performance.now()];
    }
  } finally {
    mine.abort();
    await Promise.all(open);
  }
  if (failed) throw failed.error;
}

async function pumpStill(
  source: Source,
  log: AttemptLog,
  query: LogQuery,
  push: Pumping['push'],
): Promise<void> {
  for await (const entry of entriesOf(source, log, query)) push(entry);
}

/** How it stands, and why. */
export function statusEntry({ kind, name }: Source, task: Task): LogEntry {
  const { text } = causeOf(task, [], nextOf(kind).idle(task, name)?.text);
  return { layout: kind, task: name, kind: 'status', status: task.status, text };
}

/** Nothing more comes by itself. */
function isEnd(task: Task): boolean {
  if (task.removedAt !== undefined) return true;
  switch (task.status) {
    case 'done':
    case 'failed':
    case 'canceled':
      return true;
    case 'blocked':
      return task.reason.who !== 'docket';
    default:
      return false;
  }
}
