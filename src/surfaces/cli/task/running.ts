import type { Progress } from '../../../engine/progress.ts';
import type { RanDirectory, RunControl, StepResult } from '../../../kinds/directory/api.ts';
import type { TaskDirectories } from '../../../kinds/directory/directories.ts';
import { afterFailure } from '../../../project/tasks/after-failure.ts';
import { numberIn } from '../frame/args.ts';
import type { Context } from '../frame/context.ts';
import { copyable } from '../frame/copyable.ts';
import { brief, eventText } from '../frame/progress-text.ts';
import { streamFor } from '../frame/stream.ts';
import type { Paint } from '../frame/style.ts';
import { visible } from '../frame/visible.ts';
import { withLive } from '../live/live.ts';
import { again, isPassing, ProgressLines, type Wording } from '../live/progress.ts';
import { joinedFile, named, stateOf, stepColors, taskFields, withTasks } from './fields.ts';
import { afterNo, gateLines, waitingGates } from './gates.ts';
import { waitOf } from './show.ts';

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
    const lines = streamFor(context, command) ?? new ProgressLines(shown, live, stepWords(shown));
    try {
      return await withTasks(shown, (tasks) => {
        const onProgress = (progress: Progress): void => {
          lines.tell(progress);
          if (live && progress.kind === 'step' && lines instanceof ProgressLines)
            void expectAll(tasks, context, lines);
        };
        const control: RunControl = {
          signal: stop.signal,
          onProgress,
          ...(ask && { ask }),
          ...(parallel !== undefined && { parallel }),
          ...(args.options.has('emulate-fork') && { emulateFork: true }),
        };
        return go(tasks, control);
      });
    } finally {
      deaf();
    }
  });
  return tellRan(ran, context);
}

/** Only the length of the bar depends on it: what is wrong with the files, the run itself tells. */
async function expectAll(tasks: TaskDirectories, context: Context, lines: ProgressLines): Promise<void> {
  const found = await tasks.show(named(context)).catch(() => undefined);
  if (found?.task.run) lines.expect(found.task.run.steps.length);
}

/** What came of a run: its steps, the gates that wait, the task, and where to go from here. */
function tellRan(ran: RanDirectory, context: Context): number {
  const { out, globals } = context;
  const code = exitCodeOf(ran);
  const joined = joinedFile(ran);
  if (globals.json) {
    const { steps, interrupted, warnings } = ran;
    const fields = {
      ...taskFields(ran),
      steps,
      interrupted,
      ...(warnings && { warnings }),
      ...(joined !== undefined && { joined }),
    };
    if (code === 0) out.answer(fields);
    else out.refuse(errorFor(code, ran, context), fields);
    return code;
  }
  for (const warning of ran.warnings ?? []) out.alarm(`warning: ${visible(warning)}`);
  for (const step of ran.steps) out.data(stepRow(step, out.paintData));
  const gates = waitingGates(ran.task);
  for (const gate of gates) out.data(gateLines(gate, context).join('\n'));
  const why = gates.length > 0 ? '' : waitOf(ran);
  out.data(`${visible(ran.id)} is ${visible(stateOf(ran))}${why === '' ? '' : `: ${visible(why)}`}`);
  if (joined !== undefined) out.talk(`The results together: ${visible(joined)}`);
  if (code !== 0) out.talk(`Next: ${nextStep(code, ran, context)}`);
  return code;
}

/** The first of these that applies: interrupted, done, failed, a person must act, some steps failed, try later. */
function exitCodeOf(ran: RanDirectory): number {
  const { task, steps, interrupted } = ran;
  if (interrupted) return 130;
  if (task.status === 'done') return 0;
  if (task.status === 'failed' || task.status === 'canceled') return 1;
  if (waitingGates(ran.task).length > 0) return 5;
  if (task.status === 'blocked' && task.reason.who !== 'docket') return 5;
  return steps.some(({ state }) => state === 'failed') ? 1 : 75;
}

function nextStep(code: number, ran: RanDirectory, context: Context): string {
  const { id, task } = ran;
  const resume = copyable(context, 'task', 'resume', id);
  const why = copyable(context, 'task', 'show', id);
  const waits = waitingGates(ran.task).length > 0;
  const failed = code === 1 || code === 5 ? afterFailure('task', id, task) : undefined;
  if (failed?.rejected) return afterNo(failed.words, context);
  if (failed) {
    const mend = `then ${copyable(context, ...failed.words)} (why: ${why})`;
    // While a gate waits, nothing is tried again.
    return waits ? `answer, then ${resume}; fix what failed, ${mend}` : `fix it, ${mend}`;
  }
  if (code === 1 && !waits) return `see why: ${why}`;
  return code === 5 || waits ? `answer, then ${resume}` : resume;
}

function errorFor(code: number, ran: RanDirectory, context: Context) {
  const messages: Record<number, string> = {
    1: 'some steps failed',
    5: 'a person must act',
    75: 'the task waits for something that ends by itself',
    130: 'interrupted; what is done stays done',
  };
  return {
    code: 'RUN',
    message: `${messages[code] ?? ''}${whyOf(code, ran)}`,
    fix: nextStep(code, ran, context),
    data: { exitCode: code },
  };
}

/** Whoever reads only the error learns what it is about. */
function whyOf(code: number, ran: RanDirectory): string {
  const failed = ran.steps.filter(({ state }) => state === 'failed');
  const steps = failed.map(({ step, summary }) => `${step} (${summary.trim().split('\n')[0] ?? ''})`);
  const why = code === 1 && steps.length > 0 ? steps.join(', ') : waitOf(ran);
  return why === '' ? '' : `: ${why.slice(0, 500)}`;
}

function stepRow({ step, agent, state, summary, seconds }: StepResult, paint: Paint): string {
  const shown = paint(stepColors[state] ?? 'plain', visible(state).padEnd(8));
  const facts = [`by ${visible(agent)}`, ...(seconds === undefined ? [] : [`${seconds.toFixed(1)} s`])];
  const head = `${shown} ${visible(step)}  ${paint('dim', facts.join(', '))}`;
  const said = summary.trim().split('\n')[0] ?? '';
  return said === '' ? head : `${head}\n         ${visible(said).slice(0, 300)}`;
}

/** What happens in the steps of one task, a line each. */
function stepWords({ out }: Context): Wording {
  return {
    rows: 'steps',
    print(progress, isShown) {
      const text = isShown && isPassing(progress) ? undefined : textOf(progress);
      if (text === undefined || progress.kind === 'started' || progress.kind === 'ended') return;
      out.talk(`${out.paintTalk('cyan', visible(progress.step))} ${visible(text)}`);
    },
  };
}

function textOf(progress: Progress): string | undefined {
  switch (progress.kind) {
    case 'event':
      return eventText(progress);
    case 'stepped':
      return `is ${progress.state}: ${brief(progress.summary)}`;
    case 'step':
      return `starts with ${progress.agent}${again(progress.attempt)}: ${brief(progress.title)}`;
    default:
      return undefined;
  }
}
