import path from 'node:path';
import { Queue } from '../../adapter/acp/queue.ts';
import { logReader } from '../../adapter/log-reader.ts';
import { fingerprint } from '../../io/files.ts';
import { readLines, type Growth } from '../../io/process/lines.ts';
import { plainStat } from '../../io/process/plain-file.ts';
import { places } from '../../io/process/supervisor.ts';
import { FileWatch } from '../../io/watch.ts';
import type { Task } from '../../task/schema.ts';
import type { LogEntry, LogQuery } from './api.ts';
import { attemptLogs, hasEnded, type AttemptLog } from './attempt-logs.ts';

type Now = () => Promise<Task | undefined>;

const longestLine = 4 * 1024 * 1024;
/** A worker that dies writes nothing: so often it is asked for, whatever the journal says. */
const askMs = 5000;
const still: Growth = { ended: true, more: async () => undefined };

/** What the agents of a task said: read from their files, never from the agents. */
export async function* readLogs(
  { dir }: { dir: string },
  now: Now,
  query: LogQuery,
): AsyncIterable<LogEntry> {
  const task = await now();
  if (!task) return;
  if (query.follow) yield* follow(dir, now, query);
  else for (const log of attemptLogs(dir, task, query)) yield* entriesOf(log, query, still);
}

/** Attempts that ended come one after the other; those that run, as they speak, until nobody works on the task. */
async function* follow(dir: string, now: Now, query: LogQuery): AsyncIterable<LogEntry> {
  const entries = new Queue<LogEntry>();
  const over = new AbortController();
  const stop = () => over.abort();
  query.signal.addEventListener('abort', stop, { once: true });
  const pumped = pumpAll(dir, now, query, { entries, over }).finally(() => entries.close());
  pumped.catch(() => undefined); // told below, when everything that came before it was read
  try {
    yield* entries.all();
  } finally {
    stop();
    query.signal.removeEventListener('abort', stop);
    await pumped;
  }
}

interface Pumping {
  entries: Queue<LogEntry>;
  over: AbortController;
}

async function pumpAll(dir: string, now: Now, query: LogQuery, { entries, over }: Pumping): Promise<void> {
  const journal = path.join(dir, 'journal.jsonl');
  const watch = new FileWatch(journal);
  const seen = new Set<string>();
  const open: Promise<void>[] = [];
  const pump = async (log: AttemptLog, growth: Growth) => {
    for await (const entry of entriesOf(log, query, growth)) entries.push(entry);
  };
  try {
    for (let task = await now(), asked = performance.now(); task;) {
      const isWorkedOn = task.status === 'running' || task.status === 'review';
      for (const log of attemptLogs(dir, task, query)) {
        if (seen.has(log.dir)) continue;
        seen.add(log.dir);
        if (hasEnded(log) || !isWorkedOn) await pump(log, still);
        else open.push(pumpLive(log, over.signal, pump));
      }
      if (!isWorkedOn || over.signal.aborted) break;
      const before = fingerprint(journal);
      await watch.changed(over.signal);
      if (fingerprint(journal) === before && performance.now() - asked < askMs) continue;
      [task, asked] = [await now(), performance.now()];
    }
  } finally {
    over.abort();
    watch.close();
    await Promise.all(open);
  }
}

async function pumpLive(
  log: AttemptLog,
  over: AbortSignal,
  pump: (log: AttemptLog, growth: Growth) => Promise<void>,
): Promise<void> {
  const watch = new FileWatch(places(log.dir).stdout);
  const growth: Growth = {
    get ended() {
      return over.aborted || hasEnded(log);
    },
    more: () => watch.changed(over),
  };
  try {
    await pump(log, growth);
  } finally {
    watch.close();
  }
}

async function* entriesOf(log: AttemptLog, query: LogQuery, growth: Growth): AsyncIterable<LogEntry> {
  const { step, attempt, dir, adapter, session } = log;
  const { stdout, stderr } = places(dir);
  const read = query.raw ? undefined : await logReader(adapter, session);
  for await (const line of readLines(stdout, longestLine, growth)) {
    if (query.signal.aborted) return;
    if (!read) yield { step, attempt, kind: 'line', stream: 'stdout', text: line.text };
    else for (const event of read(line)) yield { step, attempt, kind: 'event', event };
  }
  if (!plainStat(stderr)?.size) return;
  for await (const { text } of readLines(stderr, longestLine, still))
    yield { step, attempt, kind: 'line', stream: 'stderr', text };
}
