import * as v from 'valibot';
import type { LogLine } from '../../../kinds/directory/api.ts';
import { logLineSchema } from '../../../project/schemas.ts';
import { last, numberIn, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { oneTask } from '../frame/options.ts';
import { padEnd, visible } from '../frame/visible.ts';
import { named, withTasks, wordOf } from '../task/fields.ts';

export const command: Definition = {
  operand: oneTask,
  options: [
    { name: 'limit', summary: 'So many lines (default 50)', value: { kind: 'integer', label: 'N' } },
    {
      name: 'offset',
      summary: 'Leave out so many first (default 0)',
      value: { kind: 'integer', label: 'N' },
    },
    {
      name: 'type-prefix',
      summary: 'Only types that begin so',
      value: { kind: 'text', label: 'PREFIX' },
    },
    { name: 'follow', short: 'f', summary: 'Show all, then new ones as they come; Ctrl-C ends it' },
  ],
  notes: [
    'Columns: time, type, by whom, agent instance. The types are filtered first, then',
    'counted. With --json one value; with --follow --json one event per line.',
  ],
  examples: ['docket task events <task> --type-prefix gate.', 'docket task events <task> --follow'],
  answer: json.stream(
    'Lines of its log, oldest first, as they stand there.',
    'With --follow a stream of the lines themselves',
    [json.answer({ events: v.array(logLineSchema) }), json.refusal(), logLineSchema],
  ),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const limit = numberIn(args, 'limit', [1, Infinity], 'task events');
  const offset = numberIn(args, 'offset', [0, Infinity], 'task events');
  const prefix = last(args, 'type-prefix');
  const some = prefix === undefined ? {} : { prefix };
  if (args.options.has('follow')) {
    if (limit !== undefined || offset !== undefined)
      throw usage('--follow shows every line', 'leave --limit and --offset out', 'task events');
    return follow(context, some);
  }
  const query = { limit: limit ?? 50, offset: offset ?? 0, ...some };
  const events = await withTasks(context, (tasks) => tasks.events(named(context), query));
  if (globals.json) out.answer({ events });
  else {
    if (events.length > 0) out.data(events.map(rowOf).join('\n'));
    if (events.length === query.limit) out.talk(`There may be more: --offset ${query.offset + query.limit}`);
  }
  return 0;
}

/** Ends when it is told to, or when nobody reads it any more: both are a good end. */
async function follow(context: Context, query: { prefix?: string }): Promise<number> {
  const { globals, world, out } = context;
  const stop = new AbortController();
  const deaf = world.onStop(() => stop.abort());
  world.stdout.onGone?.(() => stop.abort());
  try {
    await withTasks(context, async (tasks) => {
      for await (const line of tasks.follow(named(context), { ...query, signal: stop.signal })) {
        if (globals.json) out.line(line);
        else out.data(rowOf(line));
      }
    });
    return 0;
  } finally {
    deaf();
  }
}

/** Time, type, by whom, which agent instance. The widths are fixed, because a stream cannot know what comes. */
function rowOf(line: LogLine): string {
  const cells = [line['ts'], line['type'], line['by'], line['agentInstance']].map((cell) =>
    visible(wordOf(cell)),
  );
  const [ts = '', type = '', by = '', instance = ''] = cells;
  return `${padEnd(ts, 24)}  ${padEnd(type, 24)}  ${padEnd(by || '-', 12)}  ${instance}`.trimEnd();
}
