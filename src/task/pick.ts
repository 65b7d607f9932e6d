import { compareIds } from './id.ts';
import { unmetNeeds, type TaskView, type UnmetNeed } from './needs.ts';
import type { BlockReason, Task } from './schema.ts';
import { isAfter } from './time.ts';

/** One point of priority is worth this much waiting: an old task of low priority overtakes in the end. */
const msPerPriority = 10 * 60_000;

/**
 * Smaller runs first. Ageing as a fixed virtual time: waiting longer and having a higher priority move a task
 * forward by the same measure, so the order between two tasks never changes and nothing can starve.
 */
export function rank(task: Task, since = Date.parse(task.queuedAt)): number {
  return since - task.priority * msPerPriority;
}

/** Where tasks stand in a file that people put in order, by id. */
export type Order = ReadonlyMap<string, number>;

/** What the world allows now, as data; whoever asks fills in what it knows. */
export interface Conditions {
  now: string;
  /** How many more tasks may start. */
  slots?: { used: number; max: number };
  /** Providers that told us to wait. */
  parked?: Readonly<Record<string, { until?: string }>>;
  /** Exclusive things and the task that has each, e.g. the work tree for tasks that run in place. */
  locks?: Readonly<Record<string, string>>;
  /** Caps that are used up. */
  spent?: readonly { scope: string; spent: number; cap: number }[];
  order?: Order;
}

export type Obstacle =
  | ({ kind: 'dependency' } & UnmetNeed)
  | { kind: 'held'; owner: string; until: string }
  | { kind: 'limit'; provider: string; until?: string }
  | { kind: 'lock'; name: string; holder: string }
  | { kind: 'budget'; scope: string; spent: number; cap: number }
  | { kind: 'slot'; used: number; max: number };

export const inPlaceLock = 'work tree';

/** Everything that keeps a queued task from starting now; empty = it may start. */
export function obstacles(view: TaskView, task: Task, world: Conditions): Obstacle[] {
  const found: Obstacle[] = unmetNeeds(view, task).map((need) => ({ kind: 'dependency', ...need }));
  if (task.status === 'queued' && task.lease?.kind === 'term' && isAfter(task.lease.until, world.now)) {
    found.push({ kind: 'held', owner: task.owner ?? 'somebody', until: task.lease.until });
  }
  const provider = task.spec.routing?.provider;
  const parked = provider === undefined ? undefined : parkedNow(world, provider);
  if (provider !== undefined && parked) found.push({ kind: 'limit', provider, ...parked });
  const holder = needsWorkTree(task) ? world.locks?.[inPlaceLock] : undefined;
  if (holder !== undefined && holder !== task.id) found.push({ kind: 'lock', name: inPlaceLock, holder });
  for (const cap of world.spent ?? []) found.push({ kind: 'budget', ...cap });
  const { slots } = world;
  if (slots && slots.used >= slots.max) found.push({ kind: 'slot', ...slots });
  return found;
}

/** The provider's name comes from a file: only the table's own keys count. */
function parkedNow({ parked, now }: Conditions, provider: string): { until?: string } | undefined {
  const entry = parked && Object.hasOwn(parked, provider) ? parked[provider] : undefined;
  return entry?.until === undefined || isAfter(entry.until, now) ? entry : undefined;
}

/** Who works in the people's own tree, where there is room for one. Every process must see the same holder. */
export function workTreeLock(tasks: Iterable<Task>): Record<string, string> {
  for (const task of tasks) {
    if ((task.status === 'running' || task.status === 'review') && needsWorkTree(task))
      return { [inPlaceLock]: task.id };
  }
  return {};
}

/** It works in the people's own tree. */
export function needsWorkTree(task: Task): boolean {
  return task.spec.workspace?.kind === 'inplace';
}

/** The tasks that start next, in order. Each pick uses up a slot and, in place, the work tree. */
export function pick(view: TaskView, tasks: Iterable<Task>, world: Conditions, max: number): Task[] {
  const queue = inTurn(tasks, world.order);
  const picked: Task[] = [];
  const locks: Record<string, string> = { ...world.locks };
  let { slots } = world;
  for (const task of queue) {
    if (picked.length >= max) break;
    if (obstacles(view, task, { ...world, locks, ...(slots && { slots }) }).length > 0) continue;
    picked.push(task);
    if (needsWorkTree(task)) locks[inPlaceLock] = task.id;
    if (slots) slots = { ...slots, used: slots.used + 1 };
  }
  return picked;
}

/** Those that wait, whose turn is first at the head. */
export function inTurn(tasks: Iterable<Task>, order?: Order): Task[] {
  const waiting: Turn[] = [];
  for (const task of tasks) {
    if (task.status === 'queued' && task.removedAt === undefined)
      waiting.push({ task, place: order?.get(task.id) ?? Infinity, rank: rank(task) });
  }
  if (order) rankAsListed(waiting);
  return waiting.toSorted(byTurn).map(({ task }) => task);
}

interface Turn {
  task: Task;
  place: number;
  rank: number;
}

function byTurn(a: Turn, b: Turn): number {
  return a.rank - b.rank || byPlace(a, b);
}

/** Infinity is no place: those are told apart by their ids. */
function byPlace(a: Turn, b: Turn): number {
  return a.place === b.place ? compareIds(a.task.id, b.task.id) : a.place - b.place;
}

/**
 * Who stands above another in the file counts as waiting for at least as long. So tasks of one priority go in the
 * file's order, and ageing works between priorities as ever.
 */
function rankAsListed(waiting: readonly Turn[]): void {
  let since = Infinity;
  for (const turn of waiting.toSorted((a, b) => byPlace(b, a))) {
    since = Math.min(since, Date.parse(turn.task.queuedAt));
    turn.rank = rank(turn.task, since);
  }
}

/** The honest answer to "why is this not running". */
export type Why =
  | { kind: 'running'; owner: string }
  | { kind: 'review'; owner: string }
  | { kind: 'waiting'; obstacles: Obstacle[]; position: number }
  | { kind: 'blocked'; reason: BlockReason }
  | { kind: 'over'; status: 'done' | 'failed' | 'canceled' };

export function why(view: TaskView, tasks: Iterable<Task>, task: Task, world: Conditions): Why {
  switch (task.status) {
    case 'queued': {
      const position = inTurn(tasks, world.order).findIndex((other) => other.id === task.id) + 1;
      return { kind: 'waiting', obstacles: obstacles(view, task, world), position };
    }
    case 'running':
    case 'review':
      return { kind: task.status, owner: task.owner };
    case 'blocked':
      return { kind: 'blocked', reason: task.reason };
    case 'done':
    case 'failed':
    case 'canceled':
      return { kind: 'over', status: task.status };
  }
}
