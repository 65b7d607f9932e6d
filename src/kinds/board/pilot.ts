import path from 'node:path';
import { endStrays, isAbandoned } from '../../engine/leftover-attempts.ts';
import { schedule, type Job, type TaskSource } from '../../engine/scheduler.ts';
import { sleepUnless } from '../../io/clock.ts';
import { bestLockKind, type Mutex, openMutex } from '../../io/lock.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { withNotices } from '../../settings/project.ts';
import { waysFor, type Ways } from '../../settings/room.ts';
import type { Claim } from '../../store/store.ts';
import { compareIds } from '../../task/id.ts';
import { unmetNeeds } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { requeueAfterLimits } from '../requeue.ts';
import type { Sheet } from './apply.ts';
import { agentFor, dispatchTo } from './dispatch.ts';
import { type DispatchOrder, isOrdered, memoryOf } from './format/extras.ts';
import { isHeld } from './moves.ts';
import type { Spawning } from './spawn-order.ts';
import { spawn } from './spawn.ts';
import type { SpawnStep } from './steps.ts';

/** How many tasks more may be begun. Asked and told under the board's lock. */
export interface Budget {
  left(sheet: Sheet): boolean;
  /** Before the task is given away: the key under which that is written down, where there is one. */
  use(sheet: Sheet): string | undefined;
}

export interface PilotOptions extends Spawning {
  budget: Budget;
  /** Only these tasks. */
  only?: readonly string[];
  signal: AbortSignal;
  onStep?: ((step: SpawnStep) => void) | undefined;
  /** Goes on when nothing is left; what goes wrong meanwhile is told. */
  forever?: (fault: unknown) => void;
  news?: (signal: AbortSignal) => Promise<void>;
}

const slotLookMs = 200;

interface Due {
  task: Task;
  order: DispatchOrder;
  /** It was given to its worker before, by whoever had a step for that. */
  ordered: boolean;
}

/**
 * Gives tasks to workers, so many at a time: what was ordered and not begun, then the next that somebody could work on,
 * by their numbers. What a worker has left undone is not taken up again until somebody has changed it.
 */
export function pilot(options: PilotOptions): Promise<SpawnStep[]> {
  const { desk, store, workers } = options;
  const look = () => store.list({ status: ['running', 'review', 'blocked', 'failed'] });
  const { config, masking } = workers;
  return withNotices(desk.where, { kind: 'board', config, masking, look }, () => piloted(options));
}

async function piloted(options: PilotOptions): Promise<SpawnStep[]> {
  const { desk, store, signal, forever } = options;
  await endStrays({ store, clock: desk.where.clock }, desk.dir, isAbandoned);
  const source = new BoardSource(options);
  const slots = () => desk.protocol.orchestrator.maxConcurrentSpawns; // it may be another by and by
  await schedule({ sources: [source], slots, signal, forever });
  return source.steps;
}

interface Slot {
  free(): void;
}

/** The board's tasks. Each takes one of the slots that all processes of this board share. */
class BoardSource implements TaskSource {
  readonly steps: SpawnStep[] = [];
  readonly #options: PilotOptions;
  readonly #ways: Ways;
  /** What they looked like when they were tried. */
  readonly #tried = new Map<string, number>();
  #busy = 0;
  /** A task is due, and other processes have all the slots. */
  #lacksSlot = false;

  constructor(options: PilotOptions) {
    this.#options = options;
    this.#ways = waysFor(options.desk.where, options.workers.config);
  }

  async claim({ slots }: { slots: number }): Promise<Job[]> {
    const { desk, store, signal } = this.#options;
    const jobs: Job[] = [];
    if (this.#lacksSlot && !this.#isSlotFree()) return jobs;
    await requeueAfterLimits(store, desk.where.clock, this.#ways);
    try {
      while (jobs.length < slots && !signal.aborted) {
        const due = await this.#look(nextDue);
        const slot = due && this.#takeSlot();
        this.#lacksSlot = due !== undefined && !slot;
        if (!due || !slot) break;
        const claim = await this.#claim(due, slot);
        if (claim) jobs.push({ inTree: false, work: () => this.#work(claim, slot) });
      }
    } catch (error) {
      if (jobs.length === 0) throw error; // else the next claim says so, and these are not lost
    }
    return jobs;
  }

  /** Without work of our own there is nothing else to wait for than a slot. */
  async waits(): Promise<boolean> {
    return this.#lacksSlot;
  }

  news(signal: AbortSignal, hasRoom: boolean): Promise<void> | undefined {
    const { forever, news } = this.#options;
    if (!hasRoom) return undefined;
    return this.#lacksSlot && this.#busy === 0 && !forever ? sleepUnless(slotLookMs, signal) : news?.(signal);
  }

  /** Undefined: it is not ready, or another process was quicker. */
  async #claim(due: Due, slot: Slot): Promise<Claim | undefined> {
    const { store } = this.#options;
    let claim: Claim | undefined;
    try {
      if (!(await this.#isReady(due))) return undefined;
      const now = await this.#look(orderNext);
      if (!now) return undefined;
      const { id } = now.task;
      [claim] = await store.claim({ owner: now.order.agent, max: 1, only: [id] });
      if (!claim) this.#note(await store.get(id), id);
      return claim;
    } finally {
      if (!claim) slot.free();
    }
  }

  /** Before it is given away: a program that is missing must not cost the task its turn, nor the others theirs. */
  async #isReady({ task, order }: Due): Promise<boolean> {
    const { workers, forever } = this.#options;
    try {
      await workers.assertReady(order.agent);
      return true;
    } catch (error) {
      if (!forever) throw error;
      forever(error);
      this.#note(task, task.id);
      return false;
    }
  }

  async #work(claim: Claim, slot: Slot): Promise<void> {
    const { store, signal, onStep } = this.#options;
    const { id } = claim.task;
    this.#busy += 1;
    try {
      const step = await spawn(claim, this.#options, signal);
      this.steps.push(step);
      onStep?.(step);
    } finally {
      this.#busy -= 1;
      slot.free();
    }
    this.#note(await store.get(id), id);
  }

  #note(task: Task | undefined, id: string): void {
    this.#tried.set(id, task?.rev ?? 0);
  }

  #look(
    find: (sheet: Sheet, options: PilotOptions, tried: ReadonlyMap<string, number>) => Due | undefined,
  ): Promise<Due | undefined> {
    return this.#options.store.exclusive([], (ledger, commit, now, state) =>
      find({ ledger, commit, now, state }, this.#options, this.#tried),
    );
  }

  #isSlotFree(): boolean {
    const slot = this.#takeSlot();
    slot?.free();
    return slot !== undefined;
  }

  /** One of so many workers at once, counted over all processes of this board. It ends with its process. */
  #takeSlot(): Slot | undefined {
    const { dir, protocol } = this.#options.desk;
    const folder = makeOwnFolder(dir, 'slots');
    for (let n = 1; n <= protocol.orchestrator.maxConcurrentSpawns; n += 1) {
      const mutex = openMutex(path.join(folder, `${n}.lock`), bestLockKind());
      if (isTaken(mutex)) return { free: () => freed(mutex) };
    }
    return undefined;
  }
}

/** The next one as it is now, given to its worker if it was not yet. */
function orderNext(sheet: Sheet, options: PilotOptions, tried: ReadonlyMap<string, number>): Due | undefined {
  const due = nextDue(sheet, options, tried);
  if (!due || due.ordered) return due;
  const key = options.budget.use(sheet);
  dispatchTo({ ...sheet, key }, due.task, due.order, { intent: 'autopilot' });
  return due;
}

function nextDue(
  sheet: Sheet,
  { budget, only, desk, workers }: PilotOptions,
  tried: ReadonlyMap<string, number>,
): Due | undefined {
  const { ledger, now } = sheet;
  const free = ledger
    .list({ status: ['queued', 'running'] })
    .toSorted((a, b) => compareIds(a.id, b.id))
    .filter((task) => (only?.includes(task.id) ?? true) && tried.get(task.id) !== task.rev)
    .filter((task) => !isHeld(task, now) && unmetNeeds(ledger, task).length === 0);
  for (const task of free) {
    const { order } = memoryOf(task);
    if (order && isOrdered(task) && task.status === 'queued') return { task, order, ordered: true };
  }
  const [task] = free;
  if (!task || !budget.left(sheet)) return undefined;
  const agents = [...desk.protocol.agents, ...workers.roles];
  return { task, order: { agent: agentFor(task, agents), mode: 'spawn' }, ordered: false };
}

function isTaken(mutex: Mutex): boolean {
  let ours = false;
  try {
    ours = mutex.tryLock();
    return ours;
  } finally {
    if (!ours) mutex.close();
  }
}

function freed(mutex: Mutex): void {
  mutex.unlock();
  mutex.close();
}
