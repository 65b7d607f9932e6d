import { openAttempt } from '../task/allowed.ts';
import type { Step } from '../task/run.ts';
import { isHeldBack } from '../workflow/advance.ts';
import { fateOf, type Fate } from './fate.ts';
import { askThroughGate, gateOf } from './questions.ts';
import { endingOf, type EndedAttempt, type Entry, type Recorder } from './recorder.ts';
import type { StepOrder, WorkflowOptions } from './run-workflow.ts';
import { needsPerson } from './setup.ts';
import { runStep } from './step.ts';

interface WorkStepOptions extends WorkflowOptions {
  recorder: Recorder;
  tell: (state: string, summary: string) => void;
}

/** One step of a run, from its order to its end. What goes wrong with the agent is the step's failure, not ours. */
export async function workStep(step: Step, options: WorkStepOptions): Promise<void> {
  const { recorder, signal } = options;
  try {
    const order = await options.order(step, recorder.task);
    const { run } = recorder.task;
    if (run && isHeldBack(run, step)) return; // somebody was blocked while it was made ready: it waits, too
    await tried(step, order, options);
  } catch (error) {
    const reason = recorder.fault === error ? undefined : needsPerson(error);
    if (reason === undefined) throw error;
    if (signal.aborted) return; // a Ctrl-C reaches the programs that we ask, too: they did not fail
    const open = openAttempt(recorder.task, step.id);
    if (open) await recorder.lost(step.id, open.n);
    await recorder.write({ type: 'finish', step: step.id, state: 'failed', reason: reason.text });
    options.tell('failed', reason.text);
  }
}

async function tried(step: Step, order: StepOrder, options: WorkStepOptions): Promise<void> {
  const { recorder, env, signal, now, onProgress, ask } = options;
  let { prompt, goOn } = order;
  for (let left = step.retries ?? 0; ; left -= 1) {
    const { end, last } = await runStep({
      step: step.id,
      agent: order.agent,
      recorder,
      prompt,
      cwd: order.cwd,
      cwdFromRoot: step.cwd ?? '.',
      folder: order.folder,
      env,
      signal,
      now,
      ...(order.session && { session: order.session }),
      ...(goOn !== undefined && { goOn }),
      ...(order.contract && { contract: order.contract }),
      ask: ask ?? askThroughGate(recorder, step.id),
      onStart: (attempt) => onProgress?.({ step, kind: 'started', attempt }),
      onEvent: (event, attempt) => onProgress?.({ step, kind: 'event', attempt, event }),
    });
    const fate = fateOf(end);
    if (fate.state === 'stopped') {
      if (last) await recorder.end(last);
      return;
    }
    if (fate.state === 'failed' && left > 0 && !signal.aborted) {
      if (last) await recorder.end(last);
      goOn = undefined;
      prompt = `${order.prompt}\n\nAn earlier try of this failed: ${fate.reason}\n`;
      continue;
    }
    const value = end.kind === 'report' ? end.value : undefined;
    const also = fate.state === 'done' && order.also ? await order.also(value, recorder.task) : [];
    await recorder.write(...written(step, fate, last, await options.notes()), ...also);
    options.tell(fate.state, fate.state === 'done' ? fate.summary : fate.reason);
    return;
  }
}

/** The end of the attempt, what it means for the step, and the gate at which it waits: all of it or nothing. */
function written(
  { id }: Step,
  fate: Exclude<Fate, { state: 'stopped' }>,
  last: EndedAttempt | undefined,
  notes: string | undefined,
): Entry[] {
  const ended = last ? [endingOf(last)] : [];
  if (fate.state === 'done') return [...ended, { type: 'finish', step: id, state: 'done' }];
  const { state, reason } = fate;
  const finish: Entry = { type: 'finish', step: id, state, reason };
  if (state === 'failed') return [...ended, finish];
  const gate: Entry = {
    type: 'ask',
    gate: gateOf(id),
    kind: 'human-approval',
    step: id,
    reason,
    ...(notes !== undefined && { notes }),
  };
  return [...ended, finish, gate];
}
