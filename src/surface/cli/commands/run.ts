import type { App } from '../../../app.ts';
import { last, numberIn } from '../args.ts';
import { askPerson } from '../ask.ts';
import { withApp, type Context } from '../context.ts';
import { nameOf } from '../name.ts';
import { ProgressLines } from '../progress.ts';
import { ranRow } from '../ran.ts';
import { visible } from '../visible.ts';

type Ran = Awaited<ReturnType<App['run']>>;

export async function run(context: Context): Promise<number> {
  const { args, world } = context;
  const agent = last(args, 'agent');
  const tasks = args.operands.length > 0 ? { tasks: args.operands } : {};
  const input = { ...tasks, ...(agent !== undefined && { agent }) };
  if (args.options.has('dry-run')) return plan(context, input);
  const stop = new AbortController();
  const deaf = world.onStop(() => {
    context.out.alarm('stopping: running work goes back into the queue (again to leave at once)');
    stop.abort('shutdown');
  });
  try {
    const ask = askPerson(context);
    const lines = new ProgressLines(context);
    const parallel = numberIn(args, 'parallel', [1, 64], 'run') ?? 1;
    const ran = await withApp(context, (app) =>
      app.run({
        ...input,
        parallel,
        signal: stop.signal,
        onProgress: (progress) => lines.tell(progress),
        ...(ask && { ask }),
      }),
    );
    return tell(ran, stop.signal.aborted, context);
  } finally {
    deaf();
  }
}

function tell(ran: Ran, interrupted: boolean, { out, globals }: Context): number {
  const code = exitCodeOf(ran, interrupted);
  if (globals.json) {
    const tasks = ran.map(({ task, agent, attempt }) => ({
      id: task.id,
      status: task.status,
      name: nameOf(task),
      agent,
      task,
      attempt,
    }));
    if (code === 0) out.answer({ tasks });
    else out.refuse(errorFor(code), { tasks });
    return code;
  }
  for (const one of ran) out.data(ranRow(one, out.paintData));
  if (code === 1 || code === 5) out.talk('When you have seen to it: docket run <task> tries it again.');
  if (ran.length === 0 && !interrupted)
    out.talk('Nothing to run: no queued task can start. See them: docket list');
  return code;
}

/** The first of these that applies: interrupted, failed, a person must act, try later, all well. */
function exitCodeOf(ran: Ran, interrupted: boolean): number {
  if (interrupted) return 130;
  const tasks = ran.map(({ task }) => task);
  if (tasks.some(({ status }) => status === 'failed' || status === 'canceled')) return 1;
  const blocked = tasks.flatMap((task) => (task.status === 'blocked' ? [task.reason] : []));
  if (blocked.some(({ who }) => who !== 'docket')) return 5;
  return blocked.length > 0 ? 75 : 0;
}

function errorFor(code: number) {
  const messages: Record<number, string> = {
    1: 'some tasks failed',
    5: 'a person must act',
    75: 'some tasks wait for a limit to end',
    130: 'interrupted; running work went back into the queue',
  };
  return {
    code: 'RUN',
    message: messages[code] ?? '',
    fix: 'look at the tasks below',
    data: { exitCode: code },
  };
}

async function plan(context: Context, input: { tasks?: readonly string[]; agent?: string }): Promise<number> {
  const { out, globals } = context;
  const planned = await withApp(context, (app) => app.plan(input));
  if (globals.json)
    out.answer({ tasks: planned.map(({ task, ...rest }) => ({ id: task.id, name: nameOf(task), ...rest })) });
  else if (planned.length === 0) out.talk('Nothing is queued. See all: docket list');
  for (const { task, agent, permission, waitsFor } of globals.json ? [] : planned) {
    const waits = waitsFor === undefined ? '' : `  waits for ${waitsFor.map(({ on }) => on).join(', ')}`;
    out.data(`${visible(nameOf(task))}  with ${visible(agent)} (${permission})${waits}`);
  }
  return 0;
}
