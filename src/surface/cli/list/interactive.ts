import type { Task } from '../../../task/schema.ts';
import type { Status } from '../../../task/status.ts';
import { entryFor, loadCommand } from '../commands.ts';
import { makeContext, withApp, type Context } from '../context.ts';
import { nameOf } from '../name.ts';
import { taskRows } from '../rows.ts';
import { painter } from '../style.ts';
import { visible } from '../visible.ts';
import { Menu } from './menu.ts';

/** These cannot be taken back as easily as they are done. */
const grave: ReadonlySet<string> = new Set(['cancel', 'delete', 'merge', 'pr']);

/** Choose a task, then what to do with it; the command is the one that could be typed. Again, until somebody leaves. */
export async function listInteractively(
  context: Context,
  query: { status?: readonly Status[] },
): Promise<number> {
  const { world, out } = context;
  const { actionsFor } = await import('../../../kinds/queue/actions.ts');
  const menu = new Menu(world);
  try {
    for (let at = 0; ;) {
      const { tasks, waits } = await withApp(context, (app) => app.list(query));
      const shown = tasks.filter(({ archivedAt }) => archivedAt === undefined);
      if (shown.length === 0) {
        out.talk('There is no task to choose.');
        return 0;
      }
      const look = { waits, now: world.now(), columns: 1000, heading: false, paint: painter(false) };
      const chosen = await menu.choose('Tasks', taskRows(shown, look).split('\n'), at);
      const task = typeof chosen === 'number' ? shown[chosen] : undefined;
      if (typeof chosen !== 'number' || !task) return 0;
      at = chosen;
      if ((await steer(task, actionsFor(task), menu, context)) === 'quit') return 0;
    }
  } finally {
    await menu.close();
  }
}

async function steer(
  task: Task,
  actions: readonly string[],
  menu: Menu,
  context: Context,
): Promise<'quit' | undefined> {
  const name = visible(nameOf(task));
  const known = actions.filter((action) => action !== 'run' && entryFor([action]));
  const chosen = await menu.choose(`${name} (${task.status}): ${visible(task.title)}`, known);
  if (typeof chosen !== 'number') return chosen === 'quit' ? 'quit' : undefined;
  const action = known[chosen] ?? '';
  if (grave.has(action) && (await menu.choose(`${action} ${name}?`, ['no', 'yes'])) !== 1) return undefined;
  await perform(action, task, context);
  return (await menu.choose('', ['back to the tasks', 'leave'])) === 0 ? undefined : 'quit';
}

/** What goes wrong in a command is told as if it had been typed, and the list goes on. */
async function perform(action: string, task: Task, { world, globals, out }: Context): Promise<void> {
  const entry = entryFor([action]);
  try {
    const command = entry && (await loadCommand(entry));
    await command?.run(makeContext(world, globals, { operands: [task.id], options: new Map(), unknown: [] }));
  } catch (error) {
    const { printFailure, toFailure } = await import('../failure.ts');
    printFailure(toFailure(error, Boolean(world.env['DOCKET_DEBUG'])), out, false);
  }
}
