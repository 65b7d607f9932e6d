import type { Question } from '../adapters/adapter.ts';
import { endLeftSetups } from '../engine/environment/use.ts';
import { readEvidence } from '../engine/evidence-book.ts';
import { endStrays, isAbandoned } from '../engine/leftover-attempts.ts';
import type { OnProgress } from '../engine/progress.ts';
import { schedule, type TaskSource } from '../engine/scheduler.ts';
import { unseenIn } from '../gate/seen.ts';
import { sleepUntil } from '../io/clock.ts';
import { flowBackAll } from '../kinds/bridges/flow-back.ts';
import type { DueTask } from '../kinds/due.ts';
import { CompiledWorkflows } from '../kinds/queue/compiled.ts';
import { queueEvidence } from '../kinds/queue/format/file.ts';
import { callName } from '../kinds/queue/format/record.ts';
import { idsOf } from '../kinds/queue/ids.ts';
import type { QueueProject } from '../kinds/queue/kind.ts';
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
import { failedDelivery } from '../task/delivery.ts';
import { needsWorkTree, rank } from '../task/pick.ts';
import type { Task } from '../task/schema.ts';
import { intentIn } from '../workflows/packet-workflow.ts';
import type { DueOptions } from './due-source.ts';

export interface RunInput {
  /** Ids or names; absent: all that are queued. */
  tasks?: readonly string[];
  /** For every task of this run, whatever the settings say. */
  agent?: string;
  /** Tasks at once; default: what the settings say. */
  parallel?: number;
  /** Beside the queue what is ordered in task directories, packets and on the board. */
  all?: Pick<DueOptions, 'onFault' | 'onWell' | 'onDue'>;
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
  layout?: DueTask['layout'];
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
  const parallel = input.parallel ?? config.concurrency ?? 1;
  const putBack = new Set<string>();
  const queued = async () =>
    (await store.list({ status: ['queued'] })).filter(({ id }) => only?.includes(id) ?? true);
  const work = async (claim: Claim): Promise<void> => {
    // We have the work tree now. An agent that a dead docket left in it, for another task, must not stay there.
    if (needsWorkTree(claim.task) && (await store.list({ status: ['queued'] })).some(isLeftInTree))
      await endStrays({ store, clock }, dir, isLeftInTree);
    const { signal, ask, onProgress } = input;
    const options = { places, store, config, masking, staff, workflows, owner, signal, onProgress };
    const task = await workOnTask(claim, { ...options, ...(ask && { ask }) });
    const attempt = latest(task);
    const unseen =
      task.status === 'done' ? unseenIn(readEvidence(root, queueEvidence(task.id), task.id)) : [];
    const facts = { ...(attempt && { attempt }), ...(unseen.length > 0 && { unseen }) };
    const agent = attempt?.agent ?? input.agent ?? claim.task.spec.routing?.agent ?? '';
    ran.push({ task, agent, ...facts });
    // By us: it waits for the next run, so that nothing loops all night.
    if (task.status === 'queued') putBack.add(task.id);
  };
  const news = async (signal: AbortSignal): Promise<void> => {
    const running = await store.list({ status: ['running'] });
    const isShared = running.some((task) => task.owner !== owner);
    const left = (await nextLimitEnds(store, clock, ways)) ?? idleMs;
    const enough = new AbortController();
    const both = AbortSignal.any([signal, enough.signal]);
    const looks = nextChange(store, both, isShared ? lookForDeadMs : idleMs);
    await Promise.race([looks, sleepUntil(clock.now() + left, clock, both)]);
    enough.abort();
    if (!signal.aborted) await requeueAfterLimits(store, clock, ways);
  };
  const others = input.all && (await sourceOfOthers(input, input.all, places));
  const queue: TaskSource = {
    async first() {
      const tasks = await queued();
      return { isLeft: tasks.some(isLeftInTree), rank: Math.min(...tasks.map((task) => rank(task))) };
    },
    async claim({ slots, isTreeFree }) {
      // The store keeps the tree for one of its own tasks. Those of other kinds it does not know.
      const kept = others && !isTreeFree ? (await queued()).filter(needsWorkTree) : [];
      const except = new Set([...putBack, ...kept.map(({ id }) => id)]);
      const claims = await store.claim({ owner, max: slots, except, ...(only && { only }) });
      return claims.map((claim) => ({ inTree: needsWorkTree(claim.task), work: () => work(claim) }));
    },
    news: (signal, hasRoom) => (hasRoom ? news(signal) : undefined),
    waits: async () => input.wait === true && (await nextLimitEnds(store, clock, ways)) !== undefined,
  };
  const unsettled = { status: ['running', 'review', 'blocked', 'failed'] } as const;
  const look = async () => [
    ...(await store.list(unsettled)),
    ...ran.map(({ task }) => task).filter(failedDelivery),
  ];
  const notify = places.notify ?? ((_watched, run) => run());
  const sources = others ? [queue, others] : [queue];
  const { signal, watch: forever } = input;
  await notify({ kind: 'queue', config, masking, look }, () =>
    schedule({ sources, slots: () => parallel, signal, forever }),
  );
  for (const { layout, task } of others?.ended ?? [])
    ran.push({ layout, task, agent: latest(task)?.agent ?? '' });
  return lastOfEach(ran);
}

/** What waited and went on in the same run is told once, as it ended. */
function lastOfEach(ran: readonly RanTask[]): RanTask[] {
  return [...new Map(ran.map((one) => [`${one.layout ?? ''} ${one.task.id}`, one])).values()];
}

async function sourceOfOthers(
  { wait, watch, signal, onProgress }: RunInput,
  tell: NonNullable<RunInput['all']>,
  places: QueueProject,
) {
  const { DueSource } = await import('./due-source.ts');
  const about = { wait: wait ?? false, forever: watch !== undefined, signal, onProgress };
  return new DueSource({ ...places, warn: () => undefined }, { ...tell, ...about });
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
