import type { AgentEvent, Question } from '../adapter/adapter.ts';
import type { Agent } from '../adapter/agent.ts';
import type { Config } from '../config.ts';
import { endStrays, isAbandoned } from '../engine/strays.ts';
import { onlyStep, workOn } from '../engine/work.ts';
import type { Clock } from '../io/clock.ts';
import { runTasks } from '../scheduler/run.ts';
import type { Backend, Claim } from '../store/backend.ts';
import type { Attempt } from '../task/attempt.ts';
import { needsWorkTree } from '../task/pick.ts';
import type { Task } from '../task/schema.ts';
import { agentNamed, agentNameFor, assertThere } from './agents.ts';
import { bodyOf } from './body.ts';
import { readConfig } from './config.ts';
import { idsOf } from './ids.ts';
import { requeueAfterLimits, requeueNamed } from './requeue.ts';

export interface RunInput {
  /** Ids or names; absent: all that are queued. */
  tasks?: readonly string[];
  /** For every task of this run, whatever the settings say. */
  agent?: string;
  parallel: number;
  /** Aborted with the reason 'shutdown': running work is ended and goes back into the queue. */
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
  ask?: (question: Question) => Promise<string>;
}

type Progress = { task: Task; agent: string } & (
  | { kind: 'started' }
  | { kind: 'event'; attempt: number; event: AgentEvent }
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

export async function runQueue(store: Backend, input: RunInput, places: Places): Promise<RanTask[]> {
  const { root, dir, env, clock } = places;
  const config = await readConfig(root, env);
  const agents = new AgentsByName(config, places);
  const only = input.tasks && (await idsOf(store, input.tasks));
  // Before anything is claimed: a name that is wrong, or a program that is missing, must not cost tasks their turn.
  if (input.agent !== undefined || config.defaultAgent !== undefined || (await anyWithoutAgent(store, only)))
    assertThere(await agents.for(undefined, input.agent), places);
  await requeueAfterLimits(store, clock);
  if (only) await requeueNamed(store, only, clock);
  const owner = `docket-${process.pid}`;
  const ran: RanTask[] = [];
  await endStrays(store, dir, isAbandoned);
  const work = async (claim: Claim): Promise<Task> => {
    let agent = input.agent ?? claim.task.spec.routing?.agent ?? '';
    const tell = (progress: { kind: 'started' } | { kind: 'ended' }, task: Task) =>
      input.onProgress?.({ task, agent, ...progress });
    // We have the work tree now. An agent that a dead docket left in it, for another task, must not stay there.
    if (needsWorkTree(claim.task))
      await endStrays(store, dir, (task) => task.status === 'queued' && needsWorkTree(task));
    const task = await workOn(claim, {
      root,
      dir,
      store,
      owner,
      order: async (task) => {
        const found = await agents.for(task, input.agent);
        agent = found.name;
        tell({ kind: 'started' }, task);
        return { agent: found, body: await bodyOf(root, store, task) };
      },
      env,
      signal: input.signal,
      now: () => clock.now(),
      onEvent: (event, attempt) =>
        input.onProgress?.({ task: claim.task, agent, kind: 'event', attempt, event }),
      ...(input.ask && { ask: input.ask }),
    });
    const attempt = task.attempts?.[onlyStep];
    ran.push({ task, agent, ...(attempt && { attempt }) });
    tell({ kind: 'ended' }, task);
    return task;
  };
  await runTasks({
    store,
    owner,
    parallel: input.parallel,
    signal: input.signal,
    work,
    ...(only && { only }),
  });
  return ran;
}

async function anyWithoutAgent(store: Backend, only: readonly string[] | undefined): Promise<boolean> {
  const queued = await store.list({ status: ['queued'] });
  return queued.some(
    ({ id, spec: { routing } }) =>
      (only?.includes(id) ?? true) && routing?.agent === undefined && routing?.role === undefined,
  );
}

/** Made once each: ten tasks of one agent share it. */
class AgentsByName {
  readonly #config: Config;
  readonly #places: Places;
  readonly #made = new Map<string, Promise<Agent>>();

  constructor(config: Config, places: Places) {
    this.#config = config;
    this.#places = places;
  }

  for(task: Task | undefined, wanted: string | undefined): Promise<Agent> {
    const name = wanted ?? agentNameFor(task?.spec.routing, this.#config);
    const made = this.#made.get(name) ?? agentNamed(name, this.#config, this.#places);
    this.#made.set(name, made);
    return made;
  }
}
