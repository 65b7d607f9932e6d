import { DocketError } from '../errors.ts';
import type { Command } from '../task/command.ts';
import { type Decision, decide } from '../task/decide.ts';
import { evolve } from '../task/evolve.ts';
import type { TaskView } from '../task/needs.ts';
import type { Refusal } from '../task/refusal.ts';
import type { Event, NewEvent, Task } from '../task/schema.ts';
import type { Commit, Store, TaskIndex } from './store.ts';

export type Executed =
  | { ok: true; task: Task; events: readonly Event[]; duplicate: boolean }
  | { ok: false; refusal: Refusal };

const maxTries = 100;

/**
 * Decides a command and commits its events on any store. Everything that the decision looked at is expected to
 * be unchanged at the moment of writing; if it is not, we look again and decide anew.
 */
export async function execute(
  store: Store,
  command: Command,
  options: { now: string; key?: string; digest?: string },
): Promise<Executed> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { decision, seen } = await decideOn(store, command, options.now);
    if (!decision.ok) return (await madeBefore(store, options.key)) ?? decision;
    const expect = revisionsOf(seen);
    const { events } = decision;
    const outcome = await store.transact({
      events,
      expect,
      ...(options.key !== undefined && { key: options.key }),
      ...(options.digest !== undefined && { digest: options.digest }),
    });
    if (outcome.kind === 'conflict' || outcome.kind === 'fenced') continue;
    const duplicate = outcome.kind === 'duplicate';
    const committed = duplicate ? [] : outcome.events;
    const task = duplicate
      ? await taskOf(store, outcome.seq)
      : committed.reduce(evolve, seen.get(command.id));
    if (!task) throw new Error(`task ${command.id} is gone after ${command.type}`);
    return { ok: true, task, events: committed, duplicate };
  }
  throw new DocketError(
    'CONFLICT',
    `task ${command.id} changed ${maxTries} times while ${command.type} was being decided`,
    'try again',
    { id: command.id },
  );
}

/** Without a prototype, so that V8 keeps it as a table: as an ordinary object every new id would be a new shape. */
function revisionsOf(seen: ReadonlyMap<string, Task | undefined>): Record<string, number> {
  const revisions = Object.create(null) as Record<string, number>;
  for (const [id, task] of seen) revisions[id] = task?.rev ?? 0;
  return revisions;
}

/** The task of an earlier commit with this key, for callers whose checks would refuse what they did themselves. */
export async function committedWith(store: Store, key: string): Promise<Task | undefined> {
  const fact = await factUnder(store, key);
  return fact && store.get(fact.taskId);
}

/** The first fact of an earlier commit with this key. */
export async function factUnder(store: Store, key: string): Promise<Event | undefined> {
  const outcome = await store.transact({ events: [], expect: {}, key });
  return outcome.kind === 'duplicate' ? factAt(store, outcome.seq) : undefined;
}

/** A retry is refused by what its first try did ("there is a task …"): the key tells that it was done, not wrong. */
async function madeBefore(store: Store, key: string | undefined): Promise<Executed | undefined> {
  const task = key === undefined ? undefined : await committedWith(store, key);
  return task && { ok: true, task, events: [], duplicate: true };
}

/** The task that the first commit with this key was about: its id may have been made anew for the retry. */
async function taskOf(store: Store, seq: number): Promise<Task | undefined> {
  const fact = await factAt(store, seq);
  return fact && store.get(fact.taskId);
}

async function factAt(store: Store, seq: number): Promise<Event | undefined> {
  const abort = new AbortController();
  for await (const event of store.tail({ after: seq - 1, signal: abort.signal })) return event;
  return undefined;
}

/**
 * `decide` is synchronous and a store need not be: what it asks for and we have not got is fetched, with all
 * that it needs in turn, and then it decides again.
 */
async function decideOn(
  store: Store,
  command: Command,
  now: string,
): Promise<{ decision: Decision; seen: Map<string, Task | undefined> }> {
  const seen = new Map([[command.id, await store.get(command.id)]]);
  const view: TaskView = {
    get(id) {
      if (!seen.has(id)) throw new Unseen(id);
      return seen.get(id);
    },
  };
  for (;;) {
    try {
      return { decision: decide(view, command, now), seen };
    } catch (error) {
      if (!(error instanceof Unseen)) throw error;
      await fetch(store, error.id, seen);
    }
  }
}

async function fetch(store: Store, id: string, seen: Map<string, Task | undefined>): Promise<void> {
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    const task = await store.get(next);
    seen.set(next, task);
    open.push(...(task?.needs ?? []));
  }
}

class Unseen extends Error {
  readonly id: string;
  constructor(id: string) {
    super(`task ${id} was not fetched yet`);
    this.id = id;
  }
}

/**
 * Commands about one task as one transaction: all of them happen, or none. Each is decided on what the ones before it
 * would make of the task. For commands that look at no other task. A function makes them from the task as it is then.
 */
export async function executeTogether(
  store: Store,
  id: string,
  wanted: readonly Command[] | ((task: Task) => readonly Command[]),
  now: string,
): Promise<Executed> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await store.get(id);
    const commands = typeof wanted !== 'function' ? wanted : found ? wanted(found) : [];
    if (found && commands.length === 0) return { ok: true, task: found, events: [], duplicate: false };
    const events: NewEvent[] = [];
    let task: Task | undefined = found;
    for (const command of commands) {
      const decision = decide({ get: (other) => (other === id ? task : undefined) }, command, now);
      if (!decision.ok) return decision;
      events.push(...decision.events);
      for (const event of decision.events) task = evolve(task, stamped(event, task, now));
    }
    const outcome = await store.transact({ events, expect: { [id]: found?.rev ?? 0 } });
    if (outcome.kind !== 'committed') continue;
    const after = outcome.events.reduce(evolve, found);
    if (!after) throw new Error(`task ${id} is gone after ${commands.map(({ type }) => type).join(', ')}`);
    return { ok: true, task: after, events: outcome.events, duplicate: false };
  }
  throw new DocketError('CONFLICT', `task ${id} changed ${maxTries} times meanwhile`, 'try again', { id });
}

/** As it would be in the journal: only for the decision about what comes next. */
function stamped(event: NewEvent, task: Task | undefined, now: string): Event {
  return { ...event, v: 1, seq: (task?.rev ?? 0) + 1, at: now };
}

interface With {
  /** The same key never commits twice; whoever has one asks about it first, because the tasks are others by then. */
  key?: string | undefined;
  /** Lines of the log beside the facts. */
  notes?: readonly NewEvent[];
}

/** The facts that were written down, or why none was. */
type Together = { ok: true; events: Event[] } | ({ ok: false } & Pick<Refusal, 'code' | 'message'>);

/**
 * Commands about any tasks as one transaction, for who holds the lock: all of them happen, or none and the reason is
 * the answer. Each is decided on what the ones before it would make of the tasks.
 */
export function applyTogether(
  tasks: TaskIndex,
  commands: readonly Command[],
  now: string,
  commit: Commit,
  { key, notes = [] }: With = {},
): Together {
  const after = new Map<string, Task | undefined>();
  const get = (id: string) => after.get(id) ?? tasks.get(id);
  const events: NewEvent[] = [];
  for (const command of commands) {
    const decision = decide({ get }, command, now);
    if (!decision.ok) return { ok: false, ...decision.refusal };
    const long = decision.events.find((event) => !tasks.fits(event));
    if (long) return { ok: false, code: 'invalid', message: tooLong(command.id) };
    for (const made of decision.events) {
      events.push(made);
      const event: Event = { ...made, v: 1, seq: tasks.seq + events.length, at: now };
      after.set(made.taskId, evolve(get(made.taskId), event));
    }
  }
  const long = notes.find((note) => !tasks.fits(note));
  if (long) return { ok: false, code: 'invalid', message: tooLong(long.taskId) };
  events.push(...notes);
  if (events.length === 0) return { ok: true, events: [] };
  const done = commit({ events, expect: {}, ...(key !== undefined && { key }) });
  return { ok: true, events: done.kind === 'committed' ? done.events : [] };
}

function tooLong(id: string): string {
  return `the text of task ${id} is too long to be kept here: move it into a file`;
}
