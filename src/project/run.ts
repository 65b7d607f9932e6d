import type { Question } from '../adapters/adapter.ts';
import { endLeftSetups } from '../engine/environment/use.ts';
import { readEvidence } from '../engine/evidence-book.ts';
import { endStrays, isAbandoned } from '../engine/leftover-attempts.ts';
import type { OnProgress } from '../engine/progress.ts';
import { runTasks } from '../engine/scheduler.ts';
import { unseenIn } from '../gate/seen.ts';
import { sleepUntil } from '../io/clock.ts';
import { flowBackAll } from '../kinds/bridges/flow-back.ts';
import { CompiledWorkflows } from '../kinds/queue/compiled.ts';
import { queueEvidence } from '../kinds/queue/format/file.ts';
import { callName } from '../kinds/queue/format/record.ts';
import { idsOf } from '../kinds/queue/ids.ts';
import type { QueueProject } from '../kinds/queue/queue-project.ts';
import { Staff } from '../kinds/queue/staff.ts';
import { workOnTask } from '../kinds/queue/work.ts';
import { nextLimitEnds, requeueAfterLimits, requeueNamed } from '../kinds/requeue.ts';
import { assertThere } from '../settings/agents.ts';
import { maskingFor } from '../settings/masking.ts';
import { readConfig } from '../settings/read-config.ts';
import { waysFor } from '../settings/room.ts';
import type { Store, Claim } from '../store/store.ts';
import { nextChange } from '../store/view.ts';
import { openAttempts } from '../task/allowed.ts';
import type { Attempt } from '../task/attempt.ts';
import { needsWorkTree } from '../task/pick.ts';
import type { Task } from '../task/schema.ts';
import { failedDelivery } from '../task/undelivered.ts';
import { intentIn } from '../workflows/packet-workflow.ts';
import type { Errand } from './all/errands.ts';
import { RunAll, type RunAllOptions } from './all/run-all.ts';

export interface RunInput {
  /** Ids or names; absent: all that are queued. */
  tasks?: readonly string[];
  /** For every task of this run, whatever the settings say. */
  agent?: string;
  /** Tasks at once; default: what the settings say. */
  parallel?: number;
  /** Beside the queue what is ordered in task directories, packets and on the board. */
  all?: {
    onFault: (fault: unknown, errand: Pick<Errand, 'layout' | 'id'>) => void;
    /** It has gone well, whatever went wrong with it before. */
    onWell?: (errand: Pick<Errand, 'layout' | 'id'>) => void;
    /** What is to be done there, as far as is known; again at every look. */
    onDue?: (errands: readonly Pick<Errand, 'layout' | 'id'>[]) => void;
  };
  /** Goes on while a task waits for nothing but the end of a limit. */
  wait?: boolean;
  /** Goes on until the signal: what is added or changed later runs too. What goes wrong meanwhile is told here. */
  watch?: (fault: unknown) => void;
  /** Aborted with the reason 'shutdown': running work is ended and goes back into the queue. */
  signal: AbortSignal;
  onProgress?: OnProgress;
  ask?: (question: Question) => Promise<string>;
}

/** A task after the run worked on it, with the attempt that decided. */
export interface RanTask {
  task: Task;
  /** Absent: the queue. */
  layout?: Errand['layout'];
  agent: string;
  attempt?: Attempt;
  /** It is done, and this was not seen. */
  unseen?: readonly string[];
}

/** A worker of another docket may die at any time, and no file tells. */
const lookForDeadMs = 5_000;
const idleMs = 60_000;

export async function runQueue(store: Store, input: RunInput, places: QueueProject): Promise<RanTask[]> {
  const { root, dir, env, clock } = places;
  const config = await readConfig(root, env);
  const masking = maskingFor(places, config);
  const staff = new Staff(config, places, input.agent);
  const workflows = new CompiledWorkflows({ root, env });
  const only = input.tasks && (await idsOf(store, input.tasks));
  // Before anything is claimed: a name that is wrong, or a program that is missing, must not cost tasks their turn.
  if (input.agent !== undefined || config.defaultAgent !== undefined || (await anyWithoutAgent(store, only)))
    assertThere(await staff.named(staff.nameFor(undefined, { spec: { body: '' } })), places);
  const ways = waysFor(places, config);
  await requeueAfterLimits(store, clock, ways);
  if (only) await requeueNamed(store, only, { clock, nameOf: callName });
  await flowBackAll(places, store, input.signal);
  const owner = `docket-${process.pid}`;
  const ran: RanTask[] = [];
  await endStrays({ store, clock }, dir, isAbandoned);
  await endLeftSetups(root);
  const most = input.parallel ?? config.concurrency ?? 1;
  const inTree = async () =>
    (await store.list({ status: ['queued'] })).filter(
      (task) => needsWorkTree(task) && (only?.includes(task.id) ?? true),
    );
  const isTreeLeft = async () => (await inTree()).some(isLeftInTree);
  const beside = input.all && besideQueue(input, { ...input.all, most, isTreeLeft }, places);
  /** Nothing of the queue is let into the people's tree while another layout has it. */
  const claim: Store['claim'] = async (wish) => {
    if (!beside?.hasTree) return store.claim(wish);
    const kept = (await inTree()).map(({ id }) => id);
    return store.claim({ ...wish, except: new Set([...(wish.except ?? []), ...kept]) });
  };
  const work = async (claim: Claim): Promise<Task> => {
    // We have the work tree now. An agent that a dead docket left in it, for another task, must not stay there.
    if (needsWorkTree(claim.task) && (await store.list({ status: ['queued'] })).some(isLeftInTree))
      await endStrays({ store, clock }, dir, isLeftInTree);
    const { signal, ask, onProgress } = input;
    const options = { places, store, config, masking, staff, workflows, owner, signal, onProgress };
    const worked = () => workOnTask(claim, { ...options, ...(ask && { ask }) });
    const task = await (beside && needsWorkTree(claim.task) ? beside.inTree(worked) : worked());
    const attempt = latest(task);
    const unseen =
      task.status === 'done' ? unseenIn(readEvidence(root, queueEvidence(task.id), task.id)) : [];
    const facts = { ...(attempt && { attempt }), ...(unseen.length > 0 && { unseen }) };
    const agent = attempt?.agent ?? input.agent ?? claim.task.spec.routing?.agent ?? '';
    ran.push({ task, agent, ...facts });
    return task;
  };
  const news = async (signal: AbortSignal): Promise<void> => {
    const running = await store.list({ status: ['running'] });
    const others = running.some((task) => task.owner !== owner);
    const left = (await nextLimitEnds(store, clock, ways)) ?? idleMs;
    const enough = new AbortController();
    const both = AbortSignal.any([signal, enough.signal]);
    const looks = nextChange(store, both, others ? lookForDeadMs : idleMs);
    const freed = beside?.freed();
    await Promise.race([looks, sleepUntil(clock.now() + left, clock, both), ...(freed ? [freed] : [])]);
    enough.abort();
    if (!signal.aborted) await requeueAfterLimits(store, clock, ways);
  };
  /** Something waits for nobody but time, or for the people's tree. */
  const waits = async () =>
    (beside?.hasTree && (await inTree()).length > 0) ||
    (input.wait === true && (await nextLimitEnds(store, clock, ways)) !== undefined);
  const unsettled = { status: ['running', 'review', 'blocked', 'failed'] } as const;
  const look = async () => [
    ...(await store.list(unsettled)),
    ...ran.map(({ task }) => task).filter(failedDelivery),
  ];
  const notify = places.notify ?? ((_watched, run) => run());
  await notify({ kind: 'queue', config, masking, look }, () =>
    bothEnd(
      beside?.run(),
      runTasks({
        store: { claim },
        owner,
        parallel: () => most - (beside?.busy ?? 0),
        onBusy: (count) => beside?.queueHas(count),
        signal: input.signal,
        work,
        news,
        ...(only && { only }),
        waits,
        ...(input.watch && { forever: input.watch }),
      }),
      () => beside?.leave(),
    ),
  );
  for (const { layout, task } of beside?.ended ?? [])
    ran.push({ layout, task, agent: latest(task)?.agent ?? '' });
  return lastOfEach(ran);
}

/** What waited and went on in the same run is told once, as it ended. */
function lastOfEach(ran: readonly RanTask[]): RanTask[] {
  return [...new Map(ran.map((one) => [`${one.layout ?? ''} ${one.task.id}`, one])).values()];
}

/** A fault of the one ends nothing of the other that is at work; it is thrown when both are done. */
async function bothEnd(others: Promise<void> | undefined, queue: Promise<unknown>, leave: () => void) {
  const ends = await Promise.allSettled([
    others,
    queue.catch((error: unknown) => {
      leave();
      throw error;
    }),
  ]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** The other layouts, with the slots that the queue leaves them. */
function besideQueue(
  { wait, watch, signal, onProgress }: RunInput,
  how: Omit<RunAllOptions, 'wait' | 'forever' | 'signal' | 'onProgress'>,
  places: QueueProject,
): RunAll {
  const about = {
    wait: wait ?? false,
    forever: watch !== undefined,
    signal,
    ...(onProgress && { onProgress }),
  };
  return new RunAll({ ...places, warn: () => undefined }, { ...how, ...about });
}

/** It was begun in the people's own tree, and put back without an end. */
function isLeftInTree(task: Task): boolean {
  return task.status === 'queued' && needsWorkTree(task) && openAttempts(task).length > 0;
}

/** The attempt that began last. */
function latest({ attempts }: Task): Attempt | undefined {
  return Object.values(attempts ?? {})
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .at(-1);
}

async function anyWithoutAgent(store: Store, only: readonly string[] | undefined): Promise<boolean> {
  const queued = await store.list({ status: ['queued'] });
  return queued.some(
    ({ id, spec: { routing, workflow } }) =>
      (only?.includes(id) ?? true) &&
      routing?.agent === undefined &&
      routing?.role === undefined &&
      intentIn(workflow) === undefined,
  );
}
