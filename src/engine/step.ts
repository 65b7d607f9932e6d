import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { AgentError, AgentEvent, Question, SessionWish, Usage } from '../adapters/adapter.ts';
import type { Turn } from '../adapters/fold.ts';
import { sleepUnless } from '../io/clock.ts';
import { writePlain } from '../io/plain-file.ts';
import { newMark } from '../io/process/mark.ts';
import type { Parked } from '../meter/book.ts';
import { continuation } from '../render/prompt.ts';
import type { Report } from '../report/schema.ts';
import type { BlockReason } from '../task/schema.ts';
import { isLow } from '../task/trust.ts';
import { admitted, fits, heldBack, parkedReason, unreachable, type Holds } from './admission.ts';
import { overFor, AttemptBudget, usageToBook } from './attempt-budget.ts';
import { runAttempt } from './attempt.ts';
import { type Contract, reportFor } from './contract.ts';
import type { Masking } from './masking.ts';
import { wasStopped, type EndedAttempt, type Recorder } from './recorder.ts';
import { resumeSafely } from './recover.ts';
import type { StepOrder } from './run-workflow.ts';
import { pauseBefore, policies } from './step-outcome.ts';

/** An order, and what a run adds to it. */
export interface StepOptions extends Omit<StepOrder, 'judge' | 'redact' | 'stopped' | 'also' | 'mark'> {
  step: string;
  recorder: Recorder;
  /** The step is open: if an error ended its last try, nobody has judged it or it was to be tried again, and goes on there. */
  goesOn?: boolean;
  /** `cwd` as it was ordered: what is written down. */
  cwdFromRoot?: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  now: () => number;
  onStart?: (attempt: number) => void;
  onEvent?: (event: AgentEvent, attempt: number) => void;
  ask?: (question: Question, signal: AbortSignal) => Promise<string>;
  /** Limits and budgets. Absent: nobody counts. */
  holds?: Holds;
  masking?: Masking;
}

export type StepEnd =
  /** `value`: what the contract made of it beside the report. */
  | { kind: 'report'; report: Report; value?: unknown }
  /** The agent ended well, and also when asked again gave no report. */
  | { kind: 'silent'; problem: string }
  | { kind: 'error'; error: AgentError }
  | { kind: 'stopped' };

/** How a step ended. `last` is still to be written down, together with what it means for the task. */
export interface StepResult {
  end: StepEnd;
  last?: EndedAttempt;
}

/** Its provider is left alone, or a budget is used up. Nobody judges it: it goes on from here when that is over. */
export interface HeldStep {
  held: BlockReason;
  last?: EndedAttempt;
}

/** What the next attempt is to do. */
interface Next {
  prompt: string;
  session: SessionWish;
  usedBefore?: Usage;
  adopt?: { n: number; mark: string };
}

/**
 * One step: attempts until there is a report, an error that no retry mends, or a stop. Every attempt is in the journal
 * before it starts, so that after a crash the next docket takes over what it finds instead of paying twice.
 */
export async function runStep(options: StepOptions): Promise<StepResult | HeldStep> {
  const { step, agent, recorder, signal, now } = options;
  const failures = new Map<string, number>();
  const contract = options.contract ?? reportFor(agent);
  const left = await resumeSafely(options);
  let next = left ?? first(options);
  let repaired = false;
  for (;;) {
    // What was found at work is taken over first, to be ended.
    if (signal.aborted && !next.adopt) return { end: { kind: 'stopped' } };
    const made = await attempt(options, next);
    if (!made) return { end: { kind: 'stopped' } };
    if ('held' in made) return made;
    const { n, turn, parked } = made;
    const last: EndedAttempt = { step, n, turn };
    if (made.spent) return { held: made.spent, last: { ...last, spent: made.spent.text } };
    if (parked) return { held: parkedReason(agent, parked), last };
    if (wasStopped(turn)) return { end: { kind: 'stopped' }, last };
    if (turn.error) {
      const { error } = turn;
      // It was taken up and is not there any more, or is full: that was no try of the work.
      if (error.newSession && next === left && !left.adopt) {
        await recorder.end(last);
        next = first(options);
        continue;
      }
      const count = (failures.get(error.class) ?? 0) + 1;
      failures.set(error.class, count);
      const pause =
        options.once || isLeftAlone(options, error) ? undefined : pauseBefore(error, count, now());
      const outage = pause === undefined && !options.once ? await unreachable(error, options) : undefined;
      if (outage) return { held: outage, last };
      if (pause === undefined) return { end: { kind: 'error', error }, last };
      await recorder.end(last);
      await (options.holds?.sleep ?? sleepUnless)(pause, signal);
      next = again(options, turn);
      continue;
    }
    const answer = contract.read(turn);
    if ('report' in answer) {
      const { report } = answer;
      // In the place of whatever the agent put there: this is the report that counted.
      writePlain(path.join(options.folder(n), 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
      return { end: { kind: 'report', ...answer }, last: { ...last, report } };
    }
    const { problem } = answer;
    const session = continuable(options, turn);
    if (repaired || !session) return { end: { kind: 'silent', problem }, last };
    await recorder.end(last);
    repaired = true;
    next = { prompt: contract.repair(problem), session: { kind: 'resume', id: session }, ...usedSoFar(turn) };
  }
}

/** A call that was made, or why it was not. Undefined: docket stops. */
type Made =
  | { held: BlockReason }
  | { n: number; turn: Turn; parked?: Parked; spent?: BlockReason }
  | undefined;

async function attempt(options: StepOptions, next: Next): Promise<Made> {
  const { agent, recorder, step, cwd, env, now, signal, holds } = options;
  const mark = next.adopt?.mark ?? newMark();
  const asking = { step, agent, mark, begun: next.adopt !== undefined, task: () => recorder.task, signal };
  const session = next.session.kind === 'fork' ? next.session.newId : next.session.id;
  const about = {
    step,
    agent: agent.name,
    adapter: agent.adapter.name,
    mark,
    ...(options.cwdFromRoot !== undefined && { cwd: options.cwdFromRoot }),
    ...(session !== undefined && { session }),
  };
  let n = next.adopt?.n; // what was begun is not asked again: it is paid for
  while (n === undefined) {
    const before = holds && (await heldBack(holds, asking));
    if (before) return { held: before };
    if (signal.aborted) return undefined;
    n = await recorder.begin(about, () => fits(holds, asking));
  }
  const held = holds && (await admitted(holds, asking));
  if (held) {
    await recorder.uncalled(step, n, options.uncalled?.(recorder.task));
    return { held };
  }
  const dir = options.folder(n);
  options.onStart?.(n);
  const { startedAt } = (next.adopt && recorder.attempt(step)) ?? {};
  const began = startedAt === undefined ? now() : Date.parse(startedAt);
  const gone = Math.max(0, now() - began) / 1000;
  const budget = new AttemptBudget(holds?.budgets.attempt, agent.price, signal, gone);
  let worked = false;
  const turn = await runAttempt({
    agent,
    low: isLow(recorder.task),
    mark,
    adopt: next.adopt !== undefined,
    ...(startedAt !== undefined && { since: began }),
    request: {
      prompt: next.prompt,
      cwd,
      dir,
      env,
      session: next.session,
      ...schemaOf(options.contract ?? reportFor(agent)),
      about: { taskId: recorder.task.id, step, attempt: n },
      ...(next.usedBefore && { usedBefore: next.usedBefore }),
    },
    signal: budget.signal,
    now,
    ...(options.ask && { ask: options.ask }),
    ...(options.masking && { masking: options.masking }),
    onEvent: (event) => {
      budget.saw(event);
      worked ||= event.type === 'text' || event.type === 'tool';
      options.onEvent?.(event, n);
      // At once: if we die now, the next docket must know which conversation to continue.
      return event.type === 'session' ? recorder.session(step, n, event.id) : undefined;
    },
  }).finally(() => budget.close());
  const usage = usageToBook(turn, { worked, free: agent.free === true });
  if (usage) turn.usage = usage;
  const parked = holds && (await holds.meter.over(mark, overFor(options, turn, now() - began)));
  const spent = wasStopped(turn) ? budget.spent : undefined; // who had ended by then has kept within it
  return { n, turn, ...(parked && { parked }), ...(spent && { spent }) };
}

/** Everybody knows already that its provider does not answer: one try at a time is enough. */
function isLeftAlone({ holds, agent }: StepOptions, error: AgentError): boolean {
  return policies[error.class].lastly === 'provider' && holds?.meter.parked(agent.provider) !== undefined;
}

function schemaOf({ schema }: Contract) {
  return schema ? { schema } : {};
}

function first({ agent, prompt, session, usedBefore, goOn }: StepOptions): Next {
  const { choosesId } = agent.adapter.capabilities;
  if (session?.kind === 'resume')
    return { prompt: goOn ?? prompt, session, ...(usedBefore && { usedBefore }) };
  if (session) return { prompt, session: named(session, choosesId) };
  return { prompt, session: { kind: 'new', ...(choosesId && { id: randomUUID() }) } };
}

/** A copy of a conversation is one of its own: its id is ours to choose where a new one's is. */
function named(session: SessionWish, choosesId: boolean): SessionWish {
  return session.kind === 'fork' && choosesId ? { ...session, newId: randomUUID() } : session;
}

/** In the same session where there is one to go on with: it has the work so far, and the prompt was paid for. */
function again(options: StepOptions, turn: Turn): Next {
  const session = continuable(options, turn);
  if (session === undefined) return first(turn.error?.newSession ? afresh(options) : options);
  return { prompt: continuation, session: { kind: 'resume', id: session }, ...usedSoFar(turn) };
}

/** A conversation that is gone is begun anew. A copy of it is not: without it, it would be nothing. */
function afresh({ session, ...rest }: StepOptions): StepOptions {
  return session?.kind === 'fork' ? { ...rest, session } : rest;
}

function continuable({ agent, recorder, step }: StepOptions, turn: Turn): string | undefined {
  if (!agent.adapter.capabilities.resume || turn.error?.newSession) return undefined;
  return turn.session ?? (turn.exit && recorder.attempt(step)?.session);
}

function usedSoFar(turn: Turn): { usedBefore?: Usage } {
  return turn.sessionUsage ? { usedBefore: turn.sessionUsage } : {};
}
