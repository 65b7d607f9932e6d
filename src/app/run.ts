import type { AgentEvent, Question } from '../adapter/adapter.ts';
import type { StepProgress } from '../engine/run-workflow.ts';
import { endStrays, isAbandoned } from '../engine/strays.ts';
import type { Clock } from '../io/clock.ts';
import { runTasks } from '../scheduler/run.ts';
import type { Backend, Claim } from '../store/backend.ts';
import type { FileBackend } from '../store/file-backend.ts';
import { openAttempts } from '../task/allowed.ts';
import type { Attempt } from '../task/attempt.ts';
import { needsWorkTree } from '../task/pick.ts';
import type { Task } from '../task/schema.ts';
import { assertThere } from './agents.ts';
import { readConfig } from './config.ts';
import { idsOf } from './ids.ts';
import { CompiledWorkflows } from './queue/compiled.ts';
import { Staff } from './queue/staff.ts';
import { workOnTask } from './queue/work.ts';
import { nextLimitEnds, requeueAfterLimits, requeueNamed } from './requeue.ts';

export interface RunInput {
  /** Ids or names; absent: all that are queued. */
  tasks?: readonly string[];
  /** For every task of this run, whatever the settings say. */
  agent?: string;
  /** Tasks at once; default: what the settings say. */
  parallel?: number;
  /** Goes on until the signal: what is added or changed later runs too. What goes wrong meanwhile is told here. */
  watch?: (fault: unknown) => void;
  /** Aborted with the reason 'shutdown': running work is ended and goes back into the queue. */
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  ask?: (question: Question) => Promise<string>;
}

type Progress = { task: Task; agent: string } & (
  | { kind: 'started' }
  | { kind: 'step'; step: string; title: string; attempt: number }
  | { kind: 'event'; step: string; attempt: number; event: AgentEvent }
  | { kind: 'stepped'; step: string; title: string; state: string; summary: string }
  | { kind: 'ended' }
);

/** A task after the run worked on it, with the attempt that decided. */
export interface RanTask {
  task: Task;
  agent: string;
  attempt?: Attempt;
}

export interface Places {
  root: string;
  /** docket's own folder of the store. */
  dir: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
}

/** A worker of another docket may die at any time, and no file tells. */
const lookForDeadMs = 5_000;
const idleMs = 60_000;

export async function runQueue(store: FileBackend, input: RunInput, places: Places): Promise<RanTask[]> {
  const { root, dir, env, clock } = places;
  const config = await readConfig(root, env);
  const staff = new Staff(config, places, input.agent);
  const workflows = new CompiledWorkflows({ root, env });
  const only = input.tasks && (await idsOf(store, input.tasks));
  // Before anything is claimed: a name that is wrong, or a program that is missing, must not cost tasks their turn.
  if (input.agent !== undefined || config.defaultAgent !== undefined || (await anyWithoutAgent(store, only)))
    assertThere(await staff.named(staff.nameFor(undefined, { spec: { body: '' } })), places);
  await requeueAfterLimits(store, clock);
  if (only) await requeueNamed(store, only, clock);
  const owner = `docket-${process.pid}`;
  const ran: RanTask[] = [];
  await endStrays(store, dir, isAbandoned);
  const work = async (claim: Claim): Promise<Task> => {
    // We have the work tree now. An agent that a dead docket left in it, for another task, must not stay there.
    if (needsWorkTree(claim.task) && (await store.list({ status: ['queued'] })).some(isLeftInTree))
      await endStrays(store, dir, isLeftInTree);
    let agent = input.agent ?? claim.task.spec.routing?.agent ?? '';
    input.onProgress?.({ task: claim.task, agent, kind: 'started' });
    const told = (progress: StepProgress): void => {
      if (progress.kind === 'started') ({ agent } = progress);
      input.onProgress?.({ task: claim.task, agent, ...about(progress) });
    };
    const { signal, ask } = input;
    const options = { places, store, config, staff, workflows, owner, signal, onProgress: told };
    const task = await workOnTask(claim, { ...options, ...(ask && { ask }) });
    const attempt = latest(task);
    ran.push({ task, agent: attempt?.agent ?? agent, ...(attempt && { attempt }) });
    input.onProgress?.({ task, agent: attempt?.agent ?? agent, kind: 'ended' });
    return task;
  };
  const news = async (signal: AbortSignal): Promise<void> => {
    const [running, ends] = [await store.list({ status: ['running'] }), await nextLimitEnds(store)];
    const others = running.some((task) => task.owner !== owner);
    const left = ends === undefined ? idleMs : Math.max(0, ends - clock.now());
    await store.news(signal, Math.min(left, others ? lookForDeadMs : idleMs));
    if (!signal.aborted) await requeueAfterLimits(store, clock);
  };
  await runTasks({
    store,
    owner,
    parallel: input.parallel ?? config.concurrency ?? 1,
    signal: input.signal,
    work,
    news,
    ...(only && { only }),
    ...(input.watch && { forever: input.watch }),
  });
  return ran;
}

/** It was begun in the people's own tree, and put back without an end. */
function isLeftInTree(task: Task): boolean {
  return task.status === 'queued' && needsWorkTree(task) && openAttempts(task).length > 0;
}

function about(progress: StepProgress) {
  const { id: step, title } = progress.step;
  if (progress.kind === 'event')
    return { kind: 'event', step, attempt: progress.attempt, event: progress.event } as const;
  if (progress.kind === 'started') return { kind: 'step', step, title, attempt: progress.attempt } as const;
  const { state, summary } = progress;
  return { kind: 'stepped', step, title, state, summary } as const;
}

/** The attempt that began last. */
function latest({ attempts }: Task): Attempt | undefined {
  return Object.values(attempts ?? {})
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .at(-1);
}

async function anyWithoutAgent(store: Backend, only: readonly string[] | undefined): Promise<boolean> {
  const queued = await store.list({ status: ['queued'] });
  return queued.some(
    ({ id, spec: { routing } }) =>
      (only?.includes(id) ?? true) && routing?.agent === undefined && routing?.role === undefined,
  );
}
