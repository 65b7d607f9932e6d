import path from 'node:path';
import { FileChanges } from '../../io/watch.ts';
import { nextChange } from '../../store/view.ts';
import type { Event } from '../../task/schema.ts';
import { noticeLocaleOf, only, type Asked, type Done } from './act.ts';
import {
  autopilotIn,
  autopilotName,
  readAutopilot,
  setAutopilot,
  stepsLeft,
  takeStep,
} from './autopilot-state.ts';
import { lookAt, withBoard, type Desk, linesSince } from './desk.ts';
import { agentFor, runnable } from './dispatch.ts';
import type { Intent } from './format/intent.ts';
import { autopilotFile, logFile } from './format/places.ts';
import { readBoard } from './look.ts';
import { pilot, type Budget } from './pilot.ts';
import { refused } from './refusals.ts';
import type { Spawning } from './spawn-order.ts';
import type { AutopilotRan, SpawnStep } from './steps.ts';
import { Workers } from './workers.ts';

export interface AutopilotInput {
  signal: AbortSignal;
  /** Goes on as tasks become ready and orders come, until the signal. */
  forever?: boolean;
  /** Of what is written down about workers; a function is asked for each of them. */
  locale?: Spawning['locale'];
  timeoutSec?: number;
  onStep?: (step: SpawnStep) => void;
  /** What its workers do meanwhile. */
  onProgress?: Spawning['onProgress'];
  /** What went wrong meanwhile; it is tried again. Only with `forever`. */
  onFault?: (fault: unknown) => void;
}

const usualSteps = 3;
const usualRole = 'coder';
/** A worker of another docket may die at any time, and no file tells. */
const lookAgainMs = 5_000;

/** Works off what is ordered: dispatches to workers, the steps of an `autopilot N`, and auto progress while it is on. */
export async function autopilot(desk: Desk, input: AutopilotInput): Promise<AutopilotRan> {
  const forever = input.forever === true;
  const most = forever ? Infinity : await mostNow(desk);
  const stored = storedSteps;
  return ran(desk, input, most, forever ? (input.onFault ?? (() => undefined)) : undefined, {
    ...stored,
    left: (sheet) => readAutopilot(sheet.state).enabled || stored.left(sheet),
  });
}

/** The steps that were ordered and not begun, by this process or another. */
const storedSteps: Budget = { left: (sheet) => stepsLeft(sheet) > 0, use: takeStep };

/** What is ordered, and a pass of auto progress. */
function mostNow(desk: Desk): Promise<number> {
  return withBoard(desk, (store) =>
    store.exclusive([], (ledger, commit, _now, state) => {
      const { enabled, maxSteps } = readAutopilot(state);
      return stepsLeft({ ledger, commit, state }) + (enabled ? maxSteps : 0);
    }),
  );
}

async function ran(
  desk: Desk,
  input: AutopilotInput,
  most: number,
  forever: ((fault: unknown) => void) | undefined,
  budget: Budget,
): Promise<AutopilotRan> {
  const { root } = desk.where;
  const { signal, locale = 'zh', timeoutSec, onStep, onProgress } = input;
  const workers = await Workers.of(desk.where);
  let used = 0;
  const counted: Budget = {
    left: (sheet) => used < most && budget.left(sheet),
    use: (sheet) => {
      used += 1;
      return budget.use(sheet);
    },
  };
  const steps = await withBoard(desk, (store) => {
    const news = new FileChanges([path.join(root, logFile), path.join(root, autopilotFile)]);
    const told = async (stop: AbortSignal): Promise<void> => {
      await nextChange(news, stop, lookAgainMs);
      news.look();
    };
    const about = { desk, store, workers, locale, timeoutSec, signal, onStep, onProgress, budget: counted };
    return pilot({ ...about, ...(forever && { forever, news: told }) });
  });
  const stopReason = signal.aborted
    ? 'stopped'
    : most > 0 && used >= most
      ? 'max_steps_reached'
      : 'no_runnable_task';
  return { maxSteps: most, steps, stopReason };
}

/** `autopilot N` and `auto progress on|off|status`. */
export async function ordered(
  desk: Desk,
  intent: Extract<Intent, { intent: 'autopilot' | 'auto_progress' }>,
  asked: Asked,
): Promise<Done> {
  const starts = intent.intent === 'autopilot' || intent.action === 'on';
  // Before anything is written: an order that nobody can carry out must not be stored.
  const missing = starts && asked.mode !== 'manual' ? await whyNoWorker(desk) : undefined;
  if (missing !== undefined) return refused('invalid', intent, undefined, missing);
  if (intent.intent === 'auto_progress') {
    const { action, steps } = intent;
    const set = {
      enabled: action === 'on',
      ...(action === 'on' && steps !== undefined && { maxSteps: steps }),
      ...(action === 'off' && { stepsLeft: 0 }),
    };
    const state =
      action === 'status'
        ? autopilotIn(await readBoard(desk.where).state(autopilotName))
        : await withBoard(desk, (store) =>
            store.exclusive([], (_l, _c, now, state) => setAutopilot(state, set, now)),
          );
    const { enabled, maxSteps } = state;
    const { events } =
      action === 'on' && !asked.later ? await passed(desk, maxSteps, asked, always) : { events: [] };
    return { outcome: { kind: 'auto_progress', enabled, maxSteps }, events };
  }
  const wanted = await orderSteps(desk, intent.steps, asked.key);
  if (asked.later) return only({ kind: 'autopilot_ordered', steps: wanted });
  const { steps: done, stopReason, events } = await passed(desk, wanted, asked, storedSteps);
  if (stopReason !== 'stopped') await dropSteps(desk, wanted - done.length);
  const count = (decision: SpawnStep['decision']): number =>
    done.filter((step) => step.decision === decision).length;
  return {
    outcome: {
      kind: 'autopilot',
      maxSteps: wanted,
      stepsRun: done.length,
      done: count('done'),
      blocked: count('blocked'),
      manual: 0,
      stopReason,
      steps: done.map(({ worker: _, ...step }) => step),
    },
    events,
  };
}

const always: Budget = { left: () => true, use: () => undefined };

/** So many steps at once, here and now, and what was written down about them. */
async function passed(
  desk: Desk,
  most: number,
  asked: Asked,
  budget: Budget,
): Promise<AutopilotRan & { events: Event[] }> {
  const { seq } = await lookAt(desk);
  const { signal, timeoutSec, onStep, onProgress } = asked;
  const input = { signal, locale: noticeLocaleOf(asked), ...(timeoutSec !== undefined && { timeoutSec }) };
  const heard = { ...(onStep && { onStep }), ...(onProgress && { onProgress }) };
  const pass = await ran(desk, { ...input, ...heard }, most, undefined, budget);
  const ids = pass.steps.map(({ taskId }) => taskId);
  return { ...pass, events: await linesSince(desk, seq, ids) };
}

/**
 * The steps stand in a file, so that what a machine's death leaves of them is done by the next pass. The same message again
 * orders nothing more, and without a number what is left of an earlier order is finished first.
 */
function orderSteps(desk: Desk, steps: number | undefined, key: string | undefined): Promise<number> {
  return withBoard(desk, (store) =>
    store.exclusive([], (ledger, commit, now, state) => {
      const { stepsLeft: left, lastKey } = readAutopilot(state);
      const unfinished = stepsLeft({ ledger, commit, state });
      if (steps === undefined && key === undefined && unfinished > 0) return unfinished;
      const wanted = Math.max(1, steps ?? usualSteps);
      if (key === undefined || lastKey !== key)
        setAutopilot(state, { stepsLeft: left + wanted, ...(key !== undefined && { lastKey: key }) }, now);
      return wanted;
    }),
  );
}

/** There was nothing to do for them. */
async function dropSteps(desk: Desk, count: number): Promise<void> {
  if (count <= 0) return;
  await withBoard(desk, (store) =>
    store.exclusive([], (_ledger, _commit, now, state) =>
      setAutopilot(state, { stepsLeft: readAutopilot(state).stepsLeft - count }, now),
    ),
  );
}

/** Why no worker can be started for the next task. */
async function whyNoWorker(desk: Desk): Promise<string | undefined> {
  const workers = await Workers.of(desk.where);
  const agents = [...desk.protocol.agents, ...workers.roles];
  const task = await withBoard(desk, (store) =>
    store.exclusive([], (ledger, _commit, now) => runnable(ledger, now)),
  );
  return workers.whyNotReady(task ? agentFor(task, agents) : usualRole);
}
