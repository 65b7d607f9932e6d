import type { Status } from '../../../task/status.ts';
import { usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import { withDocket, type Context } from '../frame/context.ts';
import { statusNames, statusSynonyms } from '../frame/statuses.ts';
import type { Found } from '../frame/world.ts';

export const command: Definition = {
  options: [
    {
      name: 'status',
      summary: 'Only these (a list with commas)',
      value: {
        kind: 'oneOf',
        label: 'STATUS',
        words: statusNames,
        synonyms: statusSynonyms,
        many: true,
      },
    },
    { name: 'all', summary: 'Also tasks that were archived' },
    { name: 'interactive', short: 'i', summary: 'Choose a task and what to do with it (on a terminal)' },
  ],
  notes: [`Statuses: ${statusNames.join(', ')}.`],
  examples: [
    'docket list',
    'docket list -i',
    'docket list --status queued,blocked',
    "docket list --json | jq -r '.tasks[].id'",
  ],
  answer: async () => (await import('../queue/answer.ts')).listAnswer,
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const status = args.options.get('status') as readonly Status[] | undefined; // the parser let no other word pass
  const query = status === undefined ? {} : { status };
  const all = args.options.has('all');
  if (args.options.has('interactive')) return interactive(context, query);
  if (globals.json) {
    const { tasks, ...rest } = await withDocket(context, (docket) => docket.listTexts(query));
    out.answerTexts('tasks', all ? tasks : tasks.filter(isKept), rest);
    return 0;
  }
  const found = await withDocket(context, (docket) => docket.list(query));
  const tasks = all ? found.tasks : found.tasks.filter(({ archivedAt }) => archivedAt === undefined);
  if (found.findings.length > 0) (await import('../frame/findings.ts')).warnOf(found.findings, context);
  if (tasks.length > 0) await printRows({ ...found, tasks }, context);
  else if (status === undefined) out.talk('No tasks yet. Add one: docket add "Fix the flaky login test"');
  else out.talk(`No task is ${status.join(' or ')}. All tasks: docket list`);
  return 0;
}

/** Without parsing what need not be: the word is in few texts, and only a look inside tells whose it is. */
function isKept(text: string): boolean {
  return (
    !text.includes('"archivedAt":') || (JSON.parse(text) as { archivedAt?: string }).archivedAt === undefined
  );
}

async function interactive(context: Context, query: { status?: readonly Status[] }): Promise<number> {
  const { world, globals } = context;
  if (globals.json || world.stdin.isTTY !== true || world.stderr.isTTY !== true)
    throw usage('--interactive needs a terminal', 'leave it out, or use docket list --json', 'list');
  return (await import('../list/interactive.ts')).listInteractively(context, query);
}

/** Loaded here, because --json needs none of it. */
async function printRows(
  { tasks, waits }: Pick<Found, 'tasks' | 'waits'>,
  { world, out }: Context,
): Promise<void> {
  const { taskRows } = await import('../frame/rows.ts');
  const { columnsOf } = await import('../frame/style.ts');
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
