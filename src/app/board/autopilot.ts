import path from 'node:path';
import type { Intent, Locale } from '../../layout/board/intent.ts';
import { logFile } from '../../layout/board/places.ts';
import { News } from '../../store/news.ts';
import type { Event } from '../../task/schema.ts';
import { only, type Asked, type Done } from './act.ts';
import { autopilotFile, readAutopilot, setAutopilot, stepsLeft, takeStep } from './autopilot-state.ts';
import { lookAt, withBoard, type Desk } from './desk.ts';
import { linesSince } from './log-lines.ts';
import { pilot, type Budget } from './pilot.ts';
import type { Spawning } from './spawn-order.ts';
import type { AutopilotRan, SpawnStep } from './steps.ts';
import { Workers } from './workers.ts';

export interface AutopilotInput {
  signal: AbortSignal;
  /** Goes on as tasks become ready and orders come, until the signal. */
  forever?: boolean;
  locale?: Locale;
  timeoutSec?: number;
  onStep?: (step: SpawnStep) => void;
  /** What its workers do meanwhile, by task. */
  onProgress?: Spawning['onProgress'];
  /** What went wrong meanwhile; it is tried again. Only with `forever`. */
  onFault?: (fault: unknown) => void;
}

const usualSteps = 3;
/** A worker of another docket may die at any time, and no file tells. */
const lookAgainMs = 5_000;

/** Works off what is ordered: dispatches to workers, the steps of an `autopilot N`, and auto progress while it is on. */
export async function autopilot(desk: Desk, input: AutopilotInput): Promise<AutopilotRan> {
  const { root } = desk.where;
  const forever = input.forever === true;
  const most = forever ? Infinity : await mostNow(desk);
  return ran(desk, input, most, forever ? (input.onFault ?? (() => undefined)) : undefined, {
    left: (sheet) => readAutopilot(root).enabled || stepsLeft(root, sheet) > 0,
    use: (sheet) => takeStep(root, sheet),
  });
}

/** What is ordered, and a pass of auto progress. */
function mostNow(desk: Desk): Promise<number> {
  const { root } = desk.where;
  return withBoard(desk, (store) =>
    store.alone((ledger, commit) => {
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
    const news = new News([path.join(root, logFile), path.join(root, autopilotFile)]);
    const told = async (stop: AbortSignal): Promise<void> => {
      await news.since(stop, lookAgainMs);
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
  if (intent.intent === 'auto_progress') {
    const { action, steps } = intent;
    const set = {
      enabled: action === 'on',
      ...(action === 'on' && steps !== undefined && { maxSteps: steps }),
    };
    const state =
      action === 'status'
        ? readAutopilot(root)
        : await withBoard(desk, (store) => store.alone((_l, _c, now) => setAutopilot(root, set, now)));
    const { enabled, maxSteps } = state;
    const { events } = action === 'on' && !asked.later ? await passed(desk, maxSteps, asked) : { events: [] };
    return { outcome: { kind: 'auto_progress', enabled, maxSteps }, events };
  }
  const steps = Math.max(1, intent.steps ?? usualSteps);
  if (asked.later)
    return only({ kind: 'autopilot_ordered', steps: await orderedSteps(desk, steps, asked.key) });
  const { steps: done, stopReason, events } = await passed(desk, steps, asked);
  const count = (decision: SpawnStep['decision']): number =>
    done.filter((step) => step.decision === decision).length;
  return {
    outcome: {
      kind: 'autopilot',
      maxSteps: steps,
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
  { signal, locale, request = 'en', timeoutSec, onStep, onProgress }: Asked,
): Promise<AutopilotRan & { events: Event[] }> {
  const { seq } = await lookAt(desk);
  const input = { signal, locale: locale ?? request, ...(timeoutSec !== undefined && { timeoutSec }) };
  const heard = { ...(onStep && { onStep }), ...(onProgress && { onProgress }) };
  const pass = await ran(desk, { ...input, ...heard }, most, undefined, always);
  const ids = pass.steps.map(({ taskId }) => taskId);
  return { ...pass, events: await linesSince(desk, seq, ids) };
}

/** The same message again orders nothing more. */
function orderedSteps(desk: Desk, steps: number, key: string | undefined): Promise<number> {
  const { root } = desk.where;
  return withBoard(desk, (store) =>
    store.alone((_ledger, _commit, now) => {
      const { stepsLeft: left, lastKey } = readAutopilot(root);
      if (key === undefined || lastKey !== key)
        setAutopilot(root, { stepsLeft: left + steps, ...(key !== undefined && { lastKey: key }) }, now);
      return steps;
    }),
  );
}
