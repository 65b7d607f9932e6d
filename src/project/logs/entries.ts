import { logReader } from '../../adapters/log-reader.ts';
import type { AttemptLog } from '../../engine/attempt-logs.ts';
import { DocketError } from '../../errors.ts';
import { sizeAndInode } from '../../io/files.ts';
import { plainStat } from '../../io/plain-file.ts';
import { longestLine, readLines, type Growth } from '../../io/process/lines.ts';
import { places } from '../../io/process/supervisor.ts';
import { FileWatch } from '../../io/watch.ts';
import type { LogEntry, LogQuery } from './api.ts';
import type { Source } from './source.ts';

const still: Growth = { ended: true, more: async () => undefined };

type Of = Pick<Source, 'kind' | 'name'>;

type Stream = 'stdout' | 'stderr';

/** What one attempt has said so far. */
export async function* entriesOf(of: Of, log: AttemptLog, query: LogQuery): AsyncGenerator<LogEntry> {
  yield* spoken(of, log, query, 'stdout', still);
  if (plainStat(places(log.dir()).stderr)?.size) yield* spoken(of, log, query, 'stderr', still);
}

async function* spoken(
  of: Of,
  log: AttemptLog,
  query: LogQuery,
  stream: Stream,
  growth: Growth,
): AsyncGenerator<LogEntry> {
  const { step, attempt, adapter, session } = log;
  const about = { layout: of.kind, task: of.name, step, attempt };
  const read = query.raw || stream === 'stderr' ? undefined : await logReader(adapter, session);
  const denied = new Set(read ? log.denied : []);
  for await (const line of readLines(places(log.dir())[stream], longestLine, growth)) {
    if (query.signal.aborted) return;
    if (!read) yield { ...about, kind: 'line', stream, text: line.text };
    else
      for (const event of read(line)) {
        if (event.type === 'denied')
          for (const text of denied) if (event.text.startsWith(text)) denied.delete(text);
        yield { ...about, kind: 'event', event };
      }
  }
  // What docket itself saw is not in what the agent said.
  for (const text of denied) yield { ...about, kind: 'event', event: { type: 'denied', text } };
}

/** The same as it speaks, until it has ended; each stream by itself, so that neither waits for the other. */
export async function* liveEntriesOf(
  of: Of,
  log: AttemptLog,
  query: LogQuery,
  { stream, over, hasEnded }: { stream: Stream; over: AbortSignal; hasEnded: () => boolean },
): AsyncGenerator<LogEntry> {
  const file = () => places(log.dir())[stream];
  const watch = new FileWatch(file());
  const isEnd = () => over.aborted || hasEnded();
  try {
    for (;;) {
      const ino = sizeAndInode(file())?.ino;
      // Somebody put another file in its place: what is there is read to its end, then that one.
      const isReplaced = () => ino !== undefined && (sizeAndInode(file())?.ino ?? ino) !== ino;
      const growth: Growth = {
        get ended() {
          return isEnd() || isReplaced();
        },
        more: () => watch.changed(over),
      };
      if (stream === 'stdout' || ino !== undefined) yield* spoken(of, log, query, stream, growth);
      else if (!isEnd()) await growth.more(); // it is made right after the other one
      if (isEnd() || (ino !== undefined && !isReplaced())) return;
    }
  } finally {
    watch.close();
  }
}

/** Its files are put away when the next attempt begins: in that moment they are at neither place. */
export function isAway(error: unknown): boolean {
  return error instanceof DocketError && error.data['errno'] === 'ENOENT';
}
