import * as v from 'valibot';
import type { ArchivedTask, ArchiveInput } from '../../../kinds/queue/files.ts';
import type { Status } from '../../../task/status.ts';
import { alignedRows } from '../frame/aligned.ts';
import { last, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { durationMs } from '../frame/format.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';

/** The file's word for done is taken too. */
const finished = ['completed', 'done', 'failed', 'canceled'];
const archived = json.like<ArchivedTask>()(
  v.strictObject({ ...json.short, finishedAt: json.time, file: json.described(json.text, 'From the root.') }),
);

export const command: Definition = {
  options: [
    {
      name: 'older-than',
      summary: 'Only what ended so long ago: 30d, 12h, 2w (default: all)',
      value: { kind: 'text', label: 'AGE' },
    },
    {
      name: 'status',
      summary: 'Only these: completed, failed, canceled (a list with commas)',
      value: { kind: 'oneOf', label: 'STATUS', words: finished, many: true },
    },
    { name: 'dry-run', summary: 'Show what would move; change nothing' },
  ],
  notes: [
    'A record goes to the file of the month in which its task ended, as written.',
    'The task stays known: docket requeue <task> brings it back into the queue.',
  ],
  examples: ['docket queue archive --older-than 30d --dry-run', 'docket queue archive --status completed'],
  answer: json.one('The records that went to .takt/archive.', {
    tasks: v.array(archived),
    dryRun: json.dryRun,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const dryRun = args.options.has('dry-run');
  const input = inputOf(context);
  const tasks = await withDocket(context, async (docket) =>
    (await docket.queueFiles()).archive(input, dryRun),
  );
  if (globals.json) {
    out.answer({ tasks, dryRun });
    return 0;
  }
  const rows = tasks.map(({ name, status, file }) => ({ cells: [name, status], last: file }));
  if (rows.length > 0)
    out.data(alignedRows(rows, columnsOf(world.stdout, world.env), out.paintData).join('\n'));
  out.talk(saidOf(tasks.length, dryRun));
  return 0;
}

function inputOf({ args }: Context): ArchiveInput {
  const age = last(args, 'older-than');
  const olderThanMs = age === undefined ? undefined : durationMs(age);
  if (age !== undefined && olderThanMs === undefined)
    throw usage(
      `--older-than ${age} is no age`,
      'write a number and m, h, d or w, such as 30d',
      'queue archive',
    );
  const status = args.options.get('status')?.map((word) => (word === 'completed' ? 'done' : word));
  return {
    ...(olderThanMs !== undefined && { olderThanMs }),
    ...(status && { status: status as Status[] }), // the parser let no other word pass
  };
}

function saidOf(count: number, dryRun: boolean): string {
  if (count === 0) return 'No record is finished and old enough.';
  const records = count === 1 ? '1 record' : `${count} records`;
  return dryRun ? `${records} would move; nothing was changed.` : `${records} moved.`;
}
