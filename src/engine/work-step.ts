import { sleepUnless } from '../io/clock.ts';
import { fenced } from '../render/fence.ts';
import { openAttempt } from '../task/allowed.ts';
import type { Step } from '../task/run.ts';
import type { BlockReason } from '../task/schema.ts';
import type { Mark } from '../task/trail-schema.ts';
import { isHeldBack } from '../workflow/advance.ts';
import { unreachable } from './admission.ts';
import { Held, blockReasonFor } from './blocking-errors.ts';
import { fallbackAgentsFor } from './fallback-agents.ts';
import { askThroughGate, gateOf } from './questions.ts';
import { endingOf, type EndedAttempt, type Entry, type Recorder } from './recorder.ts';
import { stuckIn } from './run-end.ts';
import type { Judged, OwnOrder, StepOrder, WorkflowOptions } from './run-workflow.ts';
import { outcomeOfAttempt, type StepOutcome } from './step-outcome.ts';
import { runStep, type HeldStep, type StepResult } from './step.ts';

interface WorkStepOptions extends WorkflowOptions {
  recorder: Recorder;
  /** Everything that the task needs is there: its variables. */
  ready: () => Promise<Readonly<Record<string, string>>>;
  tell: (state: string, summary: string) => void;
}

/** What was seen beside the work: a person has to hear of it, whatever the work came to. */
interface Seen {
  held: BlockReason | undefined;
}

/** One step of a run, from its order to its end. Returns what the whole run has to wait for. */
export async function workStep(step: Step, options: WorkStepOptions): Promise<BlockReason | undefined> {
  const seen: Seen = { held: undefined };
  const left = await worked(step, options, seen);
  return seen.held ?? left;
}

/** What goes wrong with the agent is the step's failure, not ours. */
async function worked(step: Step, options: WorkStepOptions, seen: Seen): Promise<BlockReason | undefined> {
  const { recorder, signal } = options;
  try {
    const variables = await options.ready();
    if (signal.aborted) return undefined;
    const order = await options.order(step, recorder.task, { ...options.env, ...variables });
    const { run } = recorder.task;
    // Somebody was blocked while it was made ready: it waits too, unless it was asked for by name.
    if (run && !options.only?.has(step.id) && isHeldBack(run, step)) return undefined;
    return 'does' in order ? await done(step, order, options) : await tried(step, order, options, seen);
  } catch (error) {
    if (error instanceof Held) return error.reason;
    const reason = recorder.fault === error ? undefined : blockReasonFor(error);
    if (reason === undefined) throw error;
    if (signal.aborted) return undefined; // a Ctrl-C reaches the programs that we ask, too: they did not fail
    const open = openAttempt(recorder.task, step.id);
    if (open) await recorder.lost(step.id, open.n);
    await recorder.write({ type: 'finish', step: step.id, state: 'failed', reason: reason.text });
    options.tell('failed', reason.text);
    return undefined;
  }
}

/** A step that docket does itself. An abort leaves it as it was: it is done anew. */
async function done(step: Step, order: OwnOrder, options: WorkStepOptions): Promise<BlockReason | undefined> {
  const { recorder, signal } = options;
  const { outcome, also = [], mark, report } = await order.does(signal);
  if (signal.aborted || outcome.state === 'stopped') return undefined;
  if (outcome.state === 'held') return outcome.reason;
  const ends = written(step, outcome, undefined, await options.notes(), mark);
  const told = ends.map((entry) => (entry.type === 'finish' && report ? { ...entry, report } : entry));
  await recorder.write(...told, ...also);
  options.tell(outcome.state, outcome.state === 'done' ? outcome.summary : outcome.reason);
  return undefined;
}

async function tried(
  step: Step,
  order: StepOrder,
  options: WorkStepOptions,
  seen: Seen,
): Promise<BlockReason | undefined> {
  const { recorder, signal } = options;
  const judge = order.judge ?? byReport(step, order);
  const { state, told } = recorder.task.run?.states[step.id] ?? {};
  let { prompt, goOn } = told === undefined ? order : { prompt: `${order.prompt}\n\n${told}\n`, goOn: told };
  const agents = await fallbackAgentsFor(step, order, options);
  let goesOn = state === 'running';
  for (;;) {
    const now = agents.order({ ...order, prompt, ...(goOn !== undefined && { goOn }) });
    const { cwd, agent } = now;
    const guarded = await options.guard?.({ cwd, agent, step: step.id, task: recorder.task });
    const result = await attempted(step, now, options, goesOn);
    goesOn = false;
    const touched = await guarded?.();
    if (touched?.putBack) {
      await order.stopped?.();
      if (result.last) await recorder.end(result.last);
      return touched.reason;
    }
    // Its work is judged and counts: it was paid for, and may be all right. The task waits for a person all the same.
    seen.held = touched?.reason;
    if ('held' in result) {
      const { held, last } = result;
      await order.stopped?.();
      if (last) await recorder.end(last);
      if (takesFallback(seen.held, () => agents.next(held))) continue;
      return held;
    }
    const { end, last } = result;
    if (end.kind === 'stopped') {
      await order.stopped?.(); // before its end is written down: what follows that may read what it left
      if (last) await recorder.end(last);
      return undefined;
    }
    const judged = await judge(result, last?.n ?? 0, recorder, signal);
    const { outcome, report, again, mark } = judged;
    const also = seen.held ? unsettled(judged.also) : (judged.also ?? []);
    const ended = last && { ...last, ...(report && { report }) };
    if (again && !signal.aborted) {
      await recorder.write(...(ended ? [repeated(ended, mark)] : []), ...also);
      const stuck = seen.held ?? stuckIn(recorder.task, options.loops);
      if (stuck) await order.stopped?.();
      if (stuck) return stuck;
      await (options.holds?.sleep ?? sleepUnless)(again.pauseMs, signal);
      ({ prompt, goOn } = again);
      continue;
    }
    if (outcome.state === 'stopped') {
      await order.stopped?.();
      return undefined;
    }
    const about = {
      agent: now.agent,
      recorder,
      step: step.id,
      ...(options.holds && { holds: options.holds }),
    };
    const waits = end.kind === 'error' && !options.impatient;
    const outage = waits ? await unreachable(end.error, about) : undefined;
    if (outage) {
      // What its judge says of the task does not count: nobody has worked on it.
      await order.stopped?.();
      await recorder.write(...(ended ? [endingOf(ended)] : []), ...unsettled(also));
      if (takesFallback(seen.held, () => agents.next(outage))) continue;
      return outage;
    }
    if (outcome.state === 'held') {
      await recorder.write(...(ended ? [endingOf(ended)] : []), ...also);
      await order.stopped?.();
      return outcome.reason;
    }
    const value = end.kind === 'report' ? end.value : undefined;
    const next = outcome.state === 'done' && order.also ? await order.also(value, recorder.task) : [];
    const told = mark ?? (outcome.state === 'done' ? await order.mark?.(value) : undefined);
    await recorder.write(...written(step, outcome, ended, await options.notes(), told), ...also, ...next);
    options.tell(outcome.state, outcome.state === 'done' ? outcome.summary : outcome.reason);
    return undefined;
  }
}

/** Whether the next fallback agent continues. Not after a forbidden change: a person has to look at that first. */
export function takesFallback(found: BlockReason | undefined, next: () => boolean): boolean {
  return found === undefined && next();
}

/** Without what a judge says of the task as a whole. */
function unsettled(also: readonly Entry[] = []): Entry[] {
  return also.filter(({ type }) => type !== 'settle');
}

/** The end of a try that is made once more. */
function repeated(ended: EndedAttempt, mark: Mark | undefined): Entry {
  const end = endingOf(ended) as Extract<Entry, { type: 'end' }>;
  return mark ? { ...end, mark } : end;
}

async function attempted(
  step: Step,
  order: StepOrder,
  options: WorkStepOptions,
  goesOn: boolean,
): Promise<StepResult | HeldStep> {
  const { recorder, env, signal, now, onProgress, ask, holds, masking } = options;
  // Agents get little of docket's own environment, but all of their task's; what their own settings say goes before.
  const agent = { ...order.agent, env: { ...(await options.ready()), ...order.agent.env } };
  const about = { step: step.id, title: step.title, role: step.role, agent: order.agent.name };
  const result = await runStep({
    ...order,
    step: step.id,
    agent,
    recorder,
    cwdFromRoot: step.cwd ?? '.',
    env,
    signal,
    now,
    once: order.once ?? order.judge !== undefined,
    goesOn,
    ...(holds && { holds }),
    ...(masking && { masking }),
    ask: ask ?? askThroughGate(recorder, step.id),
    onStart: (attempt) => onProgress?.({ ...about, kind: 'step', attempt }),
    onEvent: (event, attempt) => onProgress?.({ ...about, kind: 'event', attempt, event }),
  });
  return order.redact && 'end' in result ? redacted(result, order.redact) : result;
}

async function redacted(
  { end, last }: StepResult,
  redact: (text: string) => Promise<string>,
): Promise<StepResult> {
  const said = last?.turn.error;
  if (!said) return { end, ...(last && { last }) };
  const error = { ...said, message: await redact(said.message) };
  return {
    end: end.kind === 'error' ? { kind: 'error', error } : end,
    last: { ...last, turn: { ...last.turn, error } },
  };
}

/** The agent's own word, and as many more tries as were ordered. */
function byReport(step: Step, { prompt }: StepOrder): (result: StepResult) => Promise<Judged> {
  let left = step.retries ?? 0;
  return async ({ end }) => {
    const outcome = outcomeOfAttempt(end);
    if (outcome.state !== 'failed' || left === 0) return { outcome };
    left -= 1;
    const told = `${prompt}\n\nAn earlier try of this failed.\n${fenced(outcome.reason, 'that try')}\n`;
    return { outcome, again: { prompt: told, pauseMs: 0 } };
  };
}

/** The end of the attempt, what it means for the step, and the gate at which it waits: all of it or nothing. */
function written(
  { id }: Step,
  outcome: Exclude<StepOutcome, { state: 'stopped' | 'held' }>,
  last: EndedAttempt | undefined,
  notes: string | undefined,
  mark: Mark | undefined,
): Entry[] {
  const ended = last ? [endingOf(last)] : [];
  const about = { type: 'finish', step: id, ...(mark && { mark }) } as const;
  if (outcome.state === 'done') {
    const { chose } = outcome;
    return [...ended, { ...about, state: 'done', ...(chose && { chose }) }];
  }
  const { state, reason } = outcome;
  const finish: Entry = { ...about, state, reason };
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
