import * as v from 'valibot';
import type { MigratedTask } from '../../../kinds/queue/files.ts';
import { alignedRows } from '../frame/aligned.ts';
import { usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { columnsOf } from '../frame/style.ts';

const migrated = json.like<MigratedTask>()(
  v.strictObject({
    id: json.id,
    name: json.name,
    from: v.picklist(['content', 'content_file']),
    taskDir: json.text,
    skipped: json.maybe(json.text, 'Why it stays as it is.'),
  }),
);

export const command: Definition = {
  options: [
    { name: 'apply', summary: 'Do it (default: only show what would be done)' },
    { name: 'dry-run', summary: 'Only show it, as without --apply' },
  ],
  notes: [
    'A record with "content" or "content_file" gets "task_dir", and its text goes',
    'to order.md in that folder. The old file stays; running tasks are left alone.',
  ],
  examples: ['docket queue migrate', 'docket queue migrate --apply'],
  answer: json.one('The json.texts that went to folders of their tasks.', {
    tasks: v.array(migrated),
    dryRun: json.dryRun,
  }),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const apply = args.options.has('apply');
  if (apply && args.options.has('dry-run'))
    throw usage('--apply and --dry-run exclude each other', 'give one of them', 'queue migrate');
  const tasks = await withDocket(context, async (docket) => (await docket.queueFiles()).migrate(apply));
  if (globals.json) {
    out.answer({ tasks, dryRun: !apply });
    return 0;
  }
  const rows = tasks.map((task) => ({ cells: [task.name, task.from], last: toOf(task) }));
  if (rows.length > 0)
    out.data(alignedRows(rows, columnsOf(world.stdout, world.env), out.paintData).join('\n'));
  out.talk(saidOf(tasks, apply));
  return 0;
}

function toOf({ taskDir, skipped }: MigratedTask): string {
  return skipped === undefined ? `→ ${taskDir}/order.md` : `stays: ${skipped}`;
}

function saidOf(tasks: readonly MigratedTask[], apply: boolean): string {
  const count = tasks.filter(({ skipped }) => skipped === undefined).length;
  if (count === 0) return tasks.length === 0 ? 'Every record has a folder of its own.' : 'Nothing was moved.';
  return apply
    ? `${count} moved.`
    : `${count} would move; nothing was changed. To do it: docket queue migrate --apply`;
}
