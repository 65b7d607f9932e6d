import { ofDirectory } from '../../../app/all/errand-step.ts';
import type {
  RanDirectory,
  RunControl,
  StepProgress,
  TaskDirectories,
} from '../../../kinds/directory/api.ts';
import { numberIn } from '../args.ts';
import type { Context } from '../context.ts';
import { withLive } from '../live/with-live.ts';
import { streamed, streamFor } from '../stream.ts';
import { named, withTasks } from './directories.ts';
import { StepLines } from './progress.ts';
import { tellRan } from './ran.ts';

type Go = (tasks: TaskDirectories, control: RunControl) => Promise<RanDirectory>;

/** What running and resuming have in common: progress, questions, Ctrl-C, the answer and the exit code. */
export async function running(context: Context, command: string, go: Go): Promise<number> {
  const { args, world } = context;
  const parallel = numberIn(args, 'parallel', [1, 64], command);
  const stop = new AbortController();
  const ran = await withLive(context, async ({ shown, live, ask }) => {
    const deaf = world.onStop(() => {
      shown.out.alarm('stopping: the agents end, and what is done stays done (again to leave at once)');
      stop.abort('shutdown');
    });
    const id = named(context);
    const stream = streamFor(context, command);
    const lines = new StepLines(shown, live);
    try {
      return await withTasks(shown, (tasks) => {
        const onProgress = (progress: StepProgress): void => {
          if (stream) return stream.tellOther({ layout: 'task', id, ...ofDirectory(id, progress) });
          lines.tell(progress);
          if (live && progress.kind === 'started') void expectAll(tasks, context, lines);
        };
        const control: RunControl = {
          signal: stop.signal,
          onProgress,
          ...(ask && { ask }),
          ...(parallel !== undefined && { parallel }),
          ...(args.options.has('emulate-fork') && { emulateFork: true }),
        };
        return streamed(stream, { layout: 'task', id }, () => go(tasks, control));
      });
    } finally {
      deaf();
    }
  });
  return tellRan(ran, context);
}

/** Only the length of the bar depends on it: what is wrong with the files, the run itself tells. */
async function expectAll(tasks: TaskDirectories, context: Context, lines: StepLines): Promise<void> {
  const found = await tasks.show(named(context)).catch(() => undefined);
  if (found?.task.run) lines.expect(found.task.run.steps.length);
}
