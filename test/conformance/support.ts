import { execute, type Executed } from '../../src/store/execute.ts';
import type { LeaseTerms, Store } from '../../src/store/store.ts';
import type { Command } from '../../src/task/command.ts';
import { evolve } from '../../src/task/evolve.ts';
import type { Event, NewEvent, Task, TermLease } from '../../src/task/schema.ts';

/** What the suite needs to know of a store: how to get a fresh one, with `lease`, and how to get it again if it is kept. */
export interface Factory {
  open(): Promise<Subject>;
  /** Does what was committed outlive the process? Then the suite closes it and opens it again. */
  kept: boolean;
}
/** What the suite asks of a store: quick questions, and a lease that a test can outlive. */
export const leaseMs = 1500;
export const lease: LeaseTerms = { beatMs: 50, leaseMs };

export interface Subject {
  store: Store;
  /** Closes the store and opens what it left. */
  reopen: () => Promise<Store>;
  /** Keeps the store from answering, until what it resolves to is called. Absent: nothing can. */
  cut?: () => Promise<() => Promise<void>>;
  dispose: () => Promise<void>;
}

const now = '2026-03-01T12:00:00.000Z';
export const later: TermLease = { kind: 'term', until: '2099-01-01T00:00:00.000Z' };

type Draft = Command extends infer C ? (C extends Command ? Omit<C, 'by'> & { by?: string } : never) : never;

export function send(store: Store, draft: Draft, key?: string): Promise<Executed> {
  const command: Command = { by: 'tester', ...draft };
  return execute(store, command, { now, ...(key !== undefined && { key }) });
}

/** Sends a command that must not be refused. */
export async function run(store: Store, draft: Draft, key?: string): Promise<Task> {
  const executed = await send(store, draft, key);
  if (!executed.ok) throw new Error(`${draft.type} ${draft.id}: ${executed.refusal.message}`);
  return executed.task;
}

export async function refusalOf(store: Store, draft: Draft): Promise<string | undefined> {
  const executed = await send(store, draft);
  return executed.ok ? undefined : executed.refusal.code;
}

export function create(
  store: Store,
  id: string,
  more: Partial<Extract<Command, { type: 'create' }>> = {},
): Promise<Task> {
  return run(store, { type: 'create', id, title: `Task ${id}`, spec: { body: `Do ${id}.` }, ...more });
}

export function created(id: string): NewEvent {
  return { type: 'task.created', taskId: id, by: 'tester', data: { title: id, spec: { body: 'x' } } };
}

export function retitled(id: string, title: string): NewEvent {
  return { type: 'task.edited', taskId: id, by: 'tester', data: { set: { title } } };
}

/** Leads a task to done. */
export async function finish(store: Store, id: string): Promise<void> {
  await run(store, { type: 'start', id, owner: 'tester', lease: later });
  await run(store, { type: 'settle', id, verdict: { kind: 'pass' }, summary: 'done' });
}

/** The events after a point, until there are `count` of them. */
export async function eventsAfter(store: Store, after: number, count: number): Promise<Event[]> {
  const abort = new AbortController();
  const events: Event[] = [];
  if (count === 0) return events;
  for await (const event of store.tail({ after, signal: abort.signal })) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

/** All events there are. A last one is committed to know where the end is, so the board gets one task more. */
export async function allEvents(store: Store): Promise<Event[]> {
  const id = `end-${Math.random().toString(36).slice(2)}`;
  const outcome = await store.transact({ events: [created(id)], expect: {} });
  if (outcome.kind !== 'committed') throw new Error(outcome.kind);
  return eventsAfter(store, 0, outcome.events[0]?.seq ?? 0);
}

export function fold(events: readonly Event[]): Map<string, Task> {
  const tasks = new Map<string, Task>();
  for (const event of events) {
    const task = evolve(tasks.get(event.taskId), event);
    if (!task) throw new Error(`event ${event.seq} (${event.type}) does not fold`);
    tasks.set(task.id, task);
  }
  return tasks;
}

export function byId(tasks: Iterable<Task>): Task[] {
  return [...tasks].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
