import { isOver } from '../task/allowed.ts';
import type { Run, Step } from '../task/run.ts';

/** What has to be done next. Data: the engine performs it, and the facts that come of it lead to the next. */
export type Effect =
  | { type: 'start'; step: Step }
  /** A person has to agree before what needs this step may begin. */
  | { type: 'ask'; step: Step }
  /** The person has agreed. */
  | { type: 'pass'; step: Step }
  /** It can never begin: what it needs has failed. */
  | { type: 'skip'; step: Step; reason: string }
  | { type: 'join' }
  /** The planner is asked what follows from the results. */
  | { type: 'plan'; round: number }
  /** The graph says what follows. */
  | { type: 'next' }
  /** Unfinished: nothing failed, and what is left was not asked for. */
  | { type: 'finish'; as: 'done' | 'failed' | 'blocked' | 'unfinished' };

/**
 * What is due in a run. A function of where it stands, not of how it came there: after a crash the same things are due.
 *
 *   ready steps ─▶ start, as many as there are slots      a blocked worker holds back all that has not begun
 *   nothing at work, nothing to start ─▶ join ─▶ blocked | plan the next round | done | failed
 */
export function due(
  run: Run,
  at: { busy: ReadonlySet<string>; slots: number; only?: ReadonlySet<string> | undefined },
): Effect[] {
  const wanted = ({ id }: Step): boolean => at.only?.has(id) ?? true;
  const open = run.steps.filter((step) => wanted(step) && !isOver(run, step.id) && !at.busy.has(step.id));
  const settled = open.flatMap((step) => decided(run, step) ?? []);
  if (settled.length > 0) return settled;
  // Who names a step wants that one, whatever became of the others.
  const ready = at.only ? open.filter(({ kind }) => kind !== 'human') : startable(run, open);
  const starts = ready.slice(0, Math.max(0, at.slots));
  if (starts.length > 0) return starts.map((step) => ({ type: 'start', step }));
  return at.busy.size > 0 || ready.length > 0 ? [] : [atRest(run)];
}

/** What needs no agent: gates, and steps whose needs have failed. */
function decided(run: Run, step: Step): Effect | undefined {
  const state = run.states[step.id]?.state;
  const lost = step.needs.find((need) => isOver(run, need) && run.states[need]?.state !== 'done');
  if (lost !== undefined && state === undefined && !run.stopsAtFailure) {
    return {
      type: 'skip',
      step,
      reason: `not started: it needs ${lost}, which is ${run.states[lost]?.state}`,
    };
  }
  if (step.kind !== 'human' || !step.needs.every((need) => isDone(run, need))) return undefined;
  if (state === undefined) return { type: 'ask', step };
  return state === 'ready' ? { type: 'pass', step } : undefined;
}

/** In the order in which they were asked for. What was at work when docket ended comes first: it was paid for. */
function startable(run: Run, open: readonly Step[]): Step[] {
  const state = (step: Step) => run.states[step.id]?.state;
  const mine = open.filter(({ kind }) => kind !== 'human');
  const again = mine.filter((step) => state(step) === 'running' || state(step) === 'ready');
  const fresh = mine.filter(
    (step) =>
      state(step) === undefined && !isHeldBack(run, step) && step.needs.every((need) => isDone(run, need)),
  );
  return [...again, ...fresh];
}

/** A blocked worker holds back all that has not begun. */
export function isHeldBack(run: Run, { id }: Step): boolean {
  const waits = (step: Step) => step.kind !== 'human' && run.states[step.id]?.state === 'blocked';
  return run.states[id] === undefined && run.steps.some(waits);
}

function atRest(run: Run): Effect {
  if (run.workflow !== undefined) return isHeld(run) ? { type: 'finish', as: 'blocked' } : { type: 'next' };
  if (run.joinedAt === undefined) return { type: 'join' };
  const failed = failedSteps(run).length > 0;
  if (run.stopsAtFailure && failed) return { type: 'finish', as: 'failed' };
  if (run.steps.some(({ id }) => !isOver(run, id)))
    return { type: 'finish', as: run.stopsAtFailure && !isHeld(run) ? 'unfinished' : 'blocked' };
  const plans = run.steps.filter(({ kind }) => kind === 'plan');
  const last = plans.at(-1);
  const goesOn = last && isDone(run, last.id) && !saidDone(run, last);
  if (goesOn && run.planner && plans.length < run.planner.rounds)
    return { type: 'plan', round: plans.length + 1 };
  return { type: 'finish', as: failed ? 'failed' : 'done' };
}

/** A person has to act. */
function isHeld(run: Run): boolean {
  return Object.values(run.states).some(({ state }) => state === 'blocked');
}

/** The planner's own word, in its report. */
function saidDone(run: Run, { id }: Step): boolean {
  const artifacts = run.states[id]?.report?.['artifacts'];
  return (
    typeof artifacts === 'object' && artifacts !== null && 'done' in artifacts && artifacts['done'] === true
  );
}

/**
 * What speaks against the run as a whole: failures of the last round in which work was done, and of a planner after
 * it. Earlier ones were seen by who ordered that round.
 */
export function failedSteps(run: Run): Step[] {
  const starts = [...run.rounds, run.steps.length];
  const lastWork = run.steps.findLastIndex(({ kind }) => kind !== 'plan');
  const from = starts.findLast((start) => start <= lastWork) ?? 0;
  return run.steps.slice(from).filter(({ id }) => run.states[id]?.state === 'failed');
}

/** The round in which a step was ordered, counted from 0. */
export function roundOf(run: Run, step: string): number {
  const index = run.steps.findIndex(({ id }) => id === step);
  return run.rounds.findLastIndex((start) => start <= index);
}

function isDone(run: Run, step: string): boolean {
  return run.states[step]?.state === 'done';
}
