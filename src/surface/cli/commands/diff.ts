import { usage } from '../args.ts';
import { withApp, type Context } from '../context.ts';
import { nameOf } from '../name.ts';
import { visible } from '../visible.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, out, world } = context;
  const [ref = ''] = args.operands;
  const stat = args.options.has('stat');
  const names = args.options.has('name-only');
  if (stat && names) throw usage('--stat and --name-only are two answers', 'give one of them', 'diff');
  const form = stat ? 'stat' : names ? 'names' : 'patch';
  const diff = await withApp(context, async (app) => (await app.finished()).diff(ref, form));
  const { task, text, ...rest } = diff;
  if (globals.json) out.answer({ id: task.id, status: task.status, name: nameOf(task), form, text, ...rest });
  else if (text === '') out.talk('It changed nothing.');
  else {
    // A file may hold anything, and a terminal obeys; a program gets what git said.
    const lines = text.replace(/\n$/, '').split('\n');
    out.data(world.stdout.isTTY === true ? lines.map(visible).join('\n') : lines.join('\n'));
    if (rest.inPlace) out.talk('It ran in place: what others changed in these files since is in it, too.');
  }
  return 0;
}
