import type { LogEntry, LogQuery } from '../../../app/queue/api.ts';
import { last, numberIn } from '../args.ts';
import type { Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { logLine } from '../queue/log-line.ts';
import { withQueue } from '../queue/queue.ts';

/** Ends when the task is no longer worked on, when it is told to, or when nobody reads it: all are a good end. */
export async function run(context: Context): Promise<number> {
  const { args, globals, world, out } = context;
  const [ref = ''] = args.operands;
  const step = last(args, 'step');
  const attempt = numberIn(args, 'attempt', [1, Infinity], 'logs');
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort());
  world.stdout.onGone?.(() => stop.abort());
  const query: LogQuery = {
    signal: stop.signal,
    follow: args.options.has('follow'),
    raw: args.options.has('raw'),
    ...(step !== undefined && { step }),
    ...(attempt !== undefined && { attempt }),
  };
  try {
    const told = await withQueue(context, async (queue) => {
      let count = 0;
      for await (const entry of queue.logs(ref, query)) count += Number(tell(entry, query, context));
      return count;
    });
    if (told === 0 && !globals.json)
      out.talk(
        step === undefined && attempt === undefined
          ? 'Nothing was logged: no agent has said anything for it.'
          : `Nothing was logged for that. Its steps: ${copyable(context, 'show', ref)}`,
      );
    return 0;
  } finally {
    deaf();
  }
}

function tell(entry: LogEntry, { raw }: LogQuery, { globals, out, world }: Context): boolean {
  if (globals.json) {
    out.line(entry);
    return true;
  }
  // Into a file the bytes go as they are; a terminal would obey them.
  const line =
    raw && entry.kind === 'line' && world.stdout.isTTY !== true ? entry.text : logLine(entry, out.paintData);
  if (line !== undefined) out.data(line);
  return line !== undefined;
}
