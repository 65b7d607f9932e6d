import { readEvidence } from '../../engine/evidence-book.ts';
import { endStrays } from '../../engine/leftover-attempts.ts';
import type { First, Job, TaskSource } from '../../engine/scheduler.ts';
import { unseenIn } from '../../gate/seen.ts';
import { sleepUntil } from '../../io/clock.ts';
import type { Ways } from '../../settings/room.ts';
import type { Claim } from '../../store/store.ts';
import { nextChange } from '../../store/view.ts';
import { openAttempts } from '../../task/allowed.ts';
import type { Attempt } from '../../task/attempt.ts';
import { needsWorkTree, rank } from '../../task/pick.ts';
import type { Task } from '../../task/schema.ts';
import { nextLimitEnds, requeueAfterLimits } from '../requeue.ts';
import { queueEvidence } from './format/file.ts';
import { workOnTask, type WorkOptions } from './work.ts';

/** A task after the run worked on it, with the attempt that decided. */
export interface RanQueueTask {
  task: Task;
  agent: string;
  attempt?: Attempt;
  /** It is done, and this was not seen. */
  unseen?: readonly string[];
}

interface QueueOptions extends WorkOptions {
  /** Only these tasks. */
  only: readonly string[] | undefined;
  /** For every task of this run. */
  agent: string | undefined;
  /** Goes on while a task waits for nothing but the end of a limit. */
  wait: boolean;
  /** Tasks of other kinds work in the people's tree, too. */
  isShared: boolean;
  ways: Ways;
}

/** A worker of another process may die at any time, and no file tells. */
const lookForDeadMs = 5_000;
const idleMs = 60_000;

/** The tasks of the queue. */
export class QueueSource implements TaskSource {
  readonly ran: RanQueueTask[] = [];
  readonly #options: QueueOptions;
  /** Put back by us: they wait for the next run, so that nothing loops all night. */
  readonly #putBack = new Set<string>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  async first(): Promise<First> {
    const tasks = await this.#queued();
    return { isLeft: tasks.some(isLeftInTree), rank: Math.min(...tasks.map((task) => rank(task))) };
  }

  async claim({ slots: max, isTreeFree }: { slots: number; isTreeFree: boolean }): Promise<Job[]> {
    const { store, owner, only, isShared } = this.#options;
    // The store keeps the tree for one of its own tasks. Those of other kinds it does not know.
    const kept = isShared && !isTreeFree ? (await this.#queued()).filter(needsWorkTree) : [];
    const except = new Set([...this.#putBack, ...kept.map(({ id }) => id)]);
    const claims = await store.claim({ owner, max, except, ...(only && { only }) });
    return claims.map((claim) => ({ inTree: needsWorkTree(claim.task), work: () => this.#work(claim) }));
  }

  news(signal: AbortSignal, hasRoom: boolean): Promise<void> | undefined {
    return hasRoom ? this.#news(signal) : undefined;
  }

  async #news(signal: AbortSignal): Promise<void> {
    const { store, owner, places, ways } = this.#options;
    const { clock } = places;
    const running = await store.list({ status: ['running'] });
    const isShared = running.some((task) => task.owner !== owner);
    const left = (await nextLimitEnds(store, clock, ways)) ?? idleMs;
    const enough = new AbortController();
    const both = AbortSignal.any([signal, enough.signal]);
    const looks = nextChange(store, both, isShared ? lookForDeadMs : idleMs);
    await Promise.race([looks, sleepUntil(clock.now() + left, clock, both)]);
    enough.abort();
    if (!signal.aborted) await requeueAfterLimits(store, clock, ways);
  }

  async waits(): Promise<boolean> {
    const { wait, store, places, ways } = this.#options;
    return wait && (await nextLimitEnds(store, places.clock, ways)) !== undefined;
  }

  async #queued(): Promise<Task[]> {
    const { store, only } = this.#options;
    return (await store.list({ status: ['queued'] })).filter(({ id }) => only?.includes(id) ?? true);
  }

  async #work(claim: Claim): Promise<void> {
    const { store, places, agent } = this.#options;
    const { root, dir, clock } = places;
    // We have the work tree now. An agent that a dead process left in it, for another task, must not stay there.
    if (needsWorkTree(claim.task) && (await store.list({ status: ['queued'] })).some(isLeftInTree))
      await endStrays({ store, clock }, dir, isLeftInTree);
    const task = await workOnTask(claim, this.#options);
    const attempt = lastAttempt(task);
    const unseen =
      task.status === 'done' ? unseenIn(readEvidence(root, queueEvidence(task.id), task.id)) : [];
    this.ran.push({
      task,
      agent: attempt?.agent ?? agent ?? claim.task.spec.routing?.agent ?? '',
      ...(attempt && { attempt }),
      ...(unseen.length > 0 && { unseen }),
    });
    if (task.status === 'queued') this.#putBack.add(task.id);
  }
}

/** It was begun in the people's own tree, and put back without an end. */
function isLeftInTree(task: Task): boolean {
  return task.status === 'queued' && needsWorkTree(task) && openAttempts(task).length > 0;
}

/** The attempt that began last. */
export function lastAttempt({ attempts }: Task): Attempt | undefined {
  return Object.values(attempts ?? {})
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .at(-1);
}
