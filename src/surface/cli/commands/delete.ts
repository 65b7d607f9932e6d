import { last } from '../args.ts';
import { withApp, type Context } from '../context.ts';
import { copyable } from '../copyable.ts';
import { nameOf } from '../name.ts';
import { personIn } from '../person.ts';
import { visible } from '../visible.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const [ref = ''] = args.operands;
  const keepAs = last(args, 'keep-as');
  const dryRun = args.options.has('dry-run');
  const by = personIn(world.env);
  const { task, ...done } = await withApp(context, async (app) =>
    (await app.finished()).remove(ref, { dryRun, by, ...(keepAs !== undefined && { keepAs }) }),
  );
  const name = nameOf(task);
  if (globals.json) {
    out.answer({ id: task.id, status: task.status, name, ...done });
    return 0;
  }
  const word = dryRun ? 'would delete' : 'deleted';
  const parts = [done.workspace && `workspace ${done.workspace}`, done.branch && `branch ${done.branch}`];
  const more = parts.filter((part) => part !== undefined).join(', ');
  if (done.already) out.data(visible(`${name} was deleted already`));
  else out.data(visible(`${word} ${task.id} ${name}${more === '' ? '' : `: ${more}`}`));
  if (done.keptAs !== undefined)
    out.talk(visible(`${dryRun ? 'It would be kept' : 'Everything of it is kept'} as ${done.keptAs}.`));
  if (!dryRun) out.talk(`To bring it back: ${copyable(context, 'restore', task.id)}`);
  return 0;
}
