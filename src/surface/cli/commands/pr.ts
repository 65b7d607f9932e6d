import { last } from '../args.ts';
import { withApp, type Context } from '../context.ts';
import { nameOf } from '../name.ts';
import { visible } from '../visible.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const [ref = ''] = args.operands;
  const title = last(args, 'title');
  const body = last(args, 'body');
  const { task, url, isNew } = await withApp(context, async (app) =>
    (await app.finished()).pullRequest(ref, {
      remote: last(args, 'remote') ?? 'origin',
      draft: args.options.has('draft'),
      ...(title !== undefined && { title }),
      ...(body !== undefined && { body }),
    }),
  );
  if (globals.json) out.answer({ id: task.id, status: task.status, name: nameOf(task), url, isNew });
  else {
    out.data(visible(url));
    if (!isNew) out.talk('It was open already; the branch is pushed.');
  }
  return 0;
}
