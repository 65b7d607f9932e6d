import path from 'node:path';
import { FileChanges } from '../../io/file-changes.ts';
import { nextChange } from '../../store/next-change.ts';
import type { Event } from '../../task/schema.ts';
import { noticeLocaleOf, only, type Asked, type Done } from './act.ts';
import { autopilotFile, readAutopilot, setAutopilot, stepsLeft, takeStep } from './autopilot-state.ts';
import { lookAt, withBoard, type Desk } from './desk.ts';
import { agentFor, runnable } from './dispatch.ts';
import type { Intent } from './format/intent.ts';
import { logFile } from './format/places.ts';
import { linesSince } from './log-lines.ts';
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
  /** What its workers do meanwhile, by task. */
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
  const { root } = desk.where;
  const forever = input.forever === true;
  const most = forever ? Infinity : await mostNow(desk);
  const stored = storedSteps(root);
  return ran(desk, input, most, forever ? (input.onFault ?? (() => undefined)) : undefined, {
    ...stored,
    left: (sheet) => readAutopilot(root).enabled || stored.left(sheet),
  });
}

/** The steps that were ordered and not begun, by this process or another. */
function storedSteps(root: string): Budget {
  return {
    left: (sheet) => stepsLeft(root, sheet) > 0,
    use: (sheet) => takeStep(root, sheet),
  };
}

/** What is ordered, and a pass of auto progress. */
function mostNow(desk: Desk): Promise<number> {
  const { root } = desk.where;
  return withBoard(desk, (store) =>
    store.exclusive([], (ledger, commit) => {
      const { enabled, maxSteps } = readAutopilot(root);
      return stepsLeft(root, { ledger, commit }) + (enabled ? maxSteps : 0);
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
  const { root } = desk.where;
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
        ? readAutopilot(root)
        : await withBoard(desk, (store) =>
            store.exclusive([], (_l, _c, now) => setAutopilot(root, set, now)),
          );
    const { enabled, maxSteps } = state;
    const { events } =
      action === 'on' && !asked.later ? await passed(desk, maxSteps, asked, always) : { events: [] };
    return { outcome: { kind: 'auto_progress', enabled, maxSteps }, events };
  }
  const wanted = await orderSteps(desk, intent.steps, asked.key);
  if (asked.later) return only({ kind: 'autopilot_ordered', steps: wanted });
  const { steps: done, stopReason, events } = await passed(desk, wanted, asked, storedSteps(root));
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
  const { root } = desk.where;
  return withBoard(desk, (store) =>
    store.exclusive([], (ledger, commit, now) => {
      const { stepsLeft: left, lastKey } = readAutopilot(root);
      const unfinished = stepsLeft(root, { ledger, commit });
      if (steps === undefined && key === undefined && unfinished > 0) return unfinished;
      const wanted = Math.max(1, steps ?? usualSteps);
      if (key === undefined || lastKey !== key)
        setAutopilot(root, { stepsLeft: left + wanted, ...(key !== undefined && { lastKey: key }) }, now);
      return wanted;
    }),
  );
}

/** There was nothing to do for them. */
async function dropSteps(desk: Desk, count: number): Promise<void> {
  const { root } = desk.where;
  if (count <= 0) return;
  await withBoard(desk, (store) =>
    store.exclusive([], (_ledger, _commit, now) =>
      setAutopilot(root, { stepsLeft: readAutopilot(root).stepsLeft - count }, now),
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
