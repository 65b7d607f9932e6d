import type { RanDirectory, RunControl, TaskDirectories } from '../../../app/task/api.ts';
import { numberIn } from '../args.ts';
import { askPerson } from '../ask.ts';
import type { Context } from '../context.ts';
import { withTasks } from './directories.ts';
import { tellStep } from './progress.ts';
import { tellRan } from './ran.ts';

type Go = (tasks: TaskDirectories, control: RunControl) => Promise<RanDirectory>;

/** What running and resuming have in common: progress, questions, Ctrl-C, the answer and the exit code. */
export async function running(context: Context, command: string, go: Go): Promise<number> {
  const { args, world, out } = context;
  const parallel = numberIn(args, 'parallel', [1, 64], command);
  const stop = new AbortController();
  const deaf = world.onStop(() => {
    out.alarm('stopping: the agents end, and what is done stays done (again to leave at once)');
    stop.abort('shutdown');
  });
  try {
    const ask = askPerson(context);
    const control: RunControl = {
      signal: stop.signal,
      onProgress: (progress) => tellStep(progress, context),
      ...(ask && { ask }),
      ...(parallel !== undefined && { parallel }),
      ...(args.options.has('emulate-fork') && { emulateFork: true }),
    };
    return tellRan(await withTasks(context, (tasks) => go(tasks, control)), context);
  } finally {
    deaf();
  }
}
