import type { Status } from '../../../task/status.ts';
import { withApp, type Context } from '../context.ts';
import type { Found } from '../world.ts';

export async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const status = args.options.get('status') as readonly Status[] | undefined; // the parser let no other word pass
  const query = status === undefined ? {} : { status };
  if (globals.json) {
    const { tasks, ...rest } = await withApp(context, (app) => app.listTexts(query));
    out.answerTexts('tasks', tasks, rest);
    return 0;
  }
  const found = await withApp(context, (app) => app.list(query));
  if (found.findings.length > 0) (await import('../findings.ts')).warnOf(found.findings, context);
  if (found.tasks.length > 0) await printRows(found, context);
  else if (status === undefined) out.talk('No tasks yet. Add one: docket add "Fix the flaky login test"');
  else out.talk(`No task is ${status.join(' or ')}. All tasks: docket list`);
  return 0;
}

/** Loaded here, because --json needs none of it. */
async function printRows({ tasks, waits }: Found, { world, out }: Context): Promise<void> {
  const { taskRows } = await import('../rows.ts');
  const { columnsOf } = await import('../style.ts');
  const { stdout, env } = world;
  out.data(
    taskRows(tasks, {
      waits,
      now: world.now(),
      columns: columnsOf(stdout, env),
      heading: stdout.isTTY === true,
      paint: out.paintData,
    }),
  );
}
