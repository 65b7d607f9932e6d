import path from 'node:path';
import { endStrays, isAbandoned } from '../../engine/leftover-attempts.ts';
import { runTasks } from '../../engine/scheduler.ts';
import { sleepUnless } from '../../io/clock.ts';
import { bestLockKind, type Mutex, openMutex } from '../../io/lock.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { waysFor } from '../../settings/room.ts';
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
  const run = () => piloted(options);
  const { notify } = desk.where;
  return notify ? notify({ kind: 'board', config, masking, look }, run) : run();
}

async function piloted(options: PilotOptions): Promise<SpawnStep[]> {
  const { desk, store, signal } = options;
  const steps: SpawnStep[] = [];
  const tried = new Map<string, number>();
  const slots = new Map<string, { free(): void }>();
  const note = (task: Task | undefined, id: string): void => void tried.set(id, task?.rev ?? 0);
  await endStrays({ store, clock: desk.where.clock }, desk.dir, isAbandoned);

  /** Others may have all of them: without work of our own there is nothing else to wait for. */
  const slotFor = async (): Promise<{ free(): void } | undefined> => {
    for (;;) {
      const slot = takeSlot(desk.dir, desk.protocol.orchestrator.maxConcurrentSpawns);
      if (slot || slots.size > 0 || options.forever || signal.aborted) return slot;
      await sleepUnless(slotLookMs, signal);
    }
  };

  /** Before it is given away: a program that is missing must not cost the task its turn, nor the others theirs. */
  const isReady = async ({ task, order }: Due): Promise<boolean> => {
    try {
      await options.workers.assertReady(order.agent);
      return true;
    } catch (error) {
      if (!options.forever) throw error;
      options.forever(error);
      note(task, task.id);
      return false;
    }
  };

  const claimOne = async (): Promise<Claim | undefined | 'again'> => {
    const found = await store.exclusive([], (ledger, commit, now, state) =>
      nextDue({ ledger, commit, now, state }, options, tried),
    );
    const slot = found && (await slotFor());
    if (!slot) return undefined;
    let claim: Claim | undefined;
    try {
      if (!(await isReady(found))) return 'again';
      const due = await store.exclusive([], (ledger, commit, now, state) =>
        orderNext({ ledger, commit, now, state }, options, tried),
      );
      if (!due) return undefined;
      const { id } = due.task;
      [claim] = await store.claim({ owner: due.order.agent, max: 1, only: [id] });
      if (claim) slots.set(id, slot);
      else note(await store.get(id), id); // another docket was quicker
      return claim ?? 'again';
    } finally {
      if (!claim) slot.free();
    }
  };

  const ways = waysFor(desk.where, options.workers.config);
  const claim = async ({ max }: { max: number }): Promise<Claim[]> => {
    const claims: Claim[] = [];
    await requeueAfterLimits(store, desk.where.clock, ways);
    while (claims.length < max && !signal.aborted) {
      const next = await claimOne();
      if (next === undefined) break;
      if (next !== 'again') claims.push(next);
    }
    return claims;
  };

  const work = async (mine: Claim): Promise<Task> => {
    const { id } = mine.task;
    try {
      const step = await spawn(mine, options, signal);
      steps.push(step);
      options.onStep?.(step);
    } finally {
      slots.get(id)?.free();
      slots.delete(id);
    }
    const task = await store.get(id);
    note(task, id);
    return task ?? mine.task;
  };

  const { forever, news } = options;
  await runTasks({
    store: { claim },
    owner: 'docket',
    parallel: Infinity, // the slots say how many, and may be others by and by
    signal,
    work,
    ...(news && { news }),
    ...(forever && { forever }),
  });
  return steps;
}

/** The next one as it is now, given to its worker if it was not yet. */
function orderNext(sheet: Sheet, options: PilotOptions, tried: Map<string, number>): Due | undefined {
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

/** One of so many workers at once, counted over all dockets of this board. It ends with its process. */
function takeSlot(dir: string, most: number): { free(): void } | undefined {
  const folder = makeOwnFolder(dir, 'slots');
  for (let n = 1; n <= most; n += 1) {
    const mutex = openMutex(path.join(folder, `${n}.lock`), bestLockKind());
    if (taken(mutex)) return { free: () => freed(mutex) };
  }
  return undefined;
}

function taken(mutex: Mutex): boolean {
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
