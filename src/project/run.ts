import type { Question } from '../adapters/adapter.ts';
import { endLeftSetups } from '../engine/environment/use.ts';
import { endStrays, isAbandoned } from '../engine/leftover-attempts.ts';
import type { OnProgress } from '../engine/progress.ts';
import { schedule } from '../engine/scheduler.ts';
import { flowBackAll } from '../kinds/bridges/flow-back.ts';
import type { DueTask } from '../kinds/due.ts';
import { CompiledWorkflows } from '../kinds/queue/compiled.ts';
import { callName } from '../kinds/queue/format/record.ts';
import { idsOf } from '../kinds/queue/ids.ts';
import type { QueueProject } from '../kinds/queue/kind.ts';
import { lastAttempt, QueueSource, type RanQueueTask } from '../kinds/queue/source.ts';
import { Staff } from '../kinds/queue/staff.ts';
import { requeueAfterLimits, requeueNamed } from '../kinds/requeue.ts';
import { assertThere } from '../settings/agents.ts';
import { maskingFor } from '../settings/masking.ts';
import { withNotices } from '../settings/project.ts';
import { readConfig } from '../settings/read-config.ts';
import { waysFor } from '../settings/room.ts';
import type { Store } from '../store/store.ts';
import { failedDelivery } from '../task/delivery.ts';
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

/** A task after the run worked on it. */
export interface RanTask extends RanQueueTask {
  /** Absent: the queue. */
  layout?: DueTask['layout'];
}

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
  await endStrays({ store, clock }, dir, isAbandoned);
  await endLeftSetups(root);
  const { agent, wait = false, watch: forever, signal, onProgress, ask } = input;
  const others = input.all && (await sourceOfOthers(input, input.all, places));
  const queue = new QueueSource({
    places,
    store,
    config,
    masking,
    staff,
    workflows,
    ways,
    owner: `docket-${process.pid}`,
    only,
    agent,
    wait,
    isShared: others !== undefined,
    signal,
    onProgress,
    ...(ask && { ask }),
  });
  const slots = input.parallel ?? config.concurrency ?? 1;
  const unsettled = { status: ['running', 'review', 'blocked', 'failed'] } as const;
  const look = async () => [
    ...(await store.list(unsettled)),
    ...queue.ran.map(({ task }) => task).filter(failedDelivery),
  ];
  const sources = others ? [queue, others] : [queue];
  await withNotices(places, { kind: 'queue', config, masking, look }, () =>
    schedule({ sources, slots: () => slots, signal, forever }),
  );
  const ran: RanTask[] = [...queue.ran];
  for (const { layout, task } of others?.ended ?? [])
    ran.push({ layout, task, agent: lastAttempt(task)?.agent ?? '' });
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
