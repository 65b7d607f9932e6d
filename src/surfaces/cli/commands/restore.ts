import * as v from 'valibot';
import type { Restored } from '../../../kinds/queue/finished.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { nameOf } from '../frame/name.ts';
import { queueTask, showOnly } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';

const restored = json.like<Omit<Restored, 'task'>>()(
  v.strictObject({
    ...json.short,
    workspace: json.maybe(json.text),
    branch: json.maybe(json.text),
    from: json.maybe(json.text),
    dryRun: json.dryRun,
  }),
).entries;

export const command: Definition = {
  operand: queueTask,
  options: [showOnly],
  notes: [
    'With its branch and, where it was kept with --keep-as, its workspace. One that',
    'waited to be run waits again.',
  ],
  examples: ['docket restore fix-login'],
  answer: json.one('The task that is back.', restored),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const dryRun = args.options.has('dry-run');
  const { task, ...done } = await withDocket(context, async (docket) =>
    (await docket.finished()).restore(ref, dryRun),
  );
  const name = nameOf(task);
  if (globals.json) {
    out.answer({ id: task.id, status: task.status, name, ...done });
    return 0;
  }
  const parts = [
    done.workspace && `workspace ${done.workspace}`,
    done.branch && `branch ${done.branch}`,
    done.from && `from ${done.from}`,
  ];
  const more = parts.filter((part) => part !== undefined).join(', ');
  const word = dryRun ? 'would restore' : 'restored';
  const as = dryRun ? '' : ` (${task.status})`;
  out.data(visible(`${word} ${task.id} ${name}${as}${more === '' ? '' : `: ${more}`}`));
  return 0;
}
