import type { Command } from '../../src/task/command.ts';
import { decide, type Decision } from '../../src/task/decide.ts';
import { evolve } from '../../src/task/evolve.ts';
import type { Refusal, RefusalCode } from '../../src/task/refusal.ts';
import type { Event, Lease, NewEvent, Task } from '../../src/task/schema.ts';
import type { Status } from '../../src/task/status.ts';

const start = Date.parse('2026-03-01T00:00:00.000Z');
export const at = (ms: number): string => new Date(start + ms).toISOString();
export const minute = 60_000;

export const processLease: Lease = {
  kind: 'process',
  host: 'here',
  pid: 4711,
  startTime: '12345',
  bootId: 'b00t',
};

/** One step of one task's life, as it was seen from outside. */
export interface Change {
  event: Event;
  before: Status | undefined;
  after: Status;
}

/** The smallest store there is: a journal and its fold. All it holds is frozen, so impure code throws. */
export class World {
  tasks = new Map<string, Task>();
  journal: Event[] = [];
  changes: Change[] = [];
  ms = 0;

  get now(): string {
    return at(this.ms);
  }

  run(command: Command): Decision {
    const decision = decide(this.tasks, frozen(command), this.now);
    if (decision.ok) for (const event of decision.events) this.append(event);
    return decision;
  }

  /** For steps that a test takes for granted. */
  must(command: Command): Task {
    const decision = this.run(command);
    if (!decision.ok) throw new Error(`${command.type} ${command.id}: ${decision.refusal.message}`);
    return this.task(command.id);
  }

  refuses(command: Command, code: RefusalCode): Refusal {
    const decision = this.run(command);
    if (decision.ok) throw new Error(`${command.type} ${command.id} was accepted`);
    const { refusal } = decision;
    if (refusal.code !== code) throw new Error(`not ${code} but ${refusal.code}: ${refusal.message}`);
    return refusal;
  }

  answer(command: Command): RefusalCode | 'ok' {
    const decision = this.run(command);
    return decision.ok ? 'ok' : decision.refusal.code;
  }

  add(id: string, more: Partial<Extract<Command, { type: 'create' }>> = {}): Task {
    return this.must({ type: 'create', id, by: 'ann', title: id, spec: { body: '' }, ...more });
  }

  task(id: string): Task {
    const task = this.tasks.get(id);
    if (!task) throw new Error(`no task ${id}`);
    return task;
  }

  token(id: string): number {
    const task = this.task(id);
    return ('token' in task ? task.token : undefined) ?? 0;
  }

  /** To done by the real way. */
  finish(id: string): Task {
    this.must({ type: 'start', id, by: 'bob', owner: 'bob', lease: processLease });
    const token = this.token(id);
    return this.must({
      type: 'settle',
      id,
      by: 'gate',
      token,
      verdict: { kind: 'pass', evidence: [] },
      summary: 'it works',
    });
  }

  private append(fact: NewEvent): void {
    const event = frozen<Event>({ ...fact, v: 1, seq: this.journal.length + 1, at: this.now });
    const before = this.tasks.get(event.taskId);
    const after = evolve(before, event);
    if (!after) throw new Error(`${event.type} about nothing`);
    this.journal.push(event);
    this.tasks.set(event.taskId, frozen(after));
    this.changes.push({ event, before: before?.status, after: after.status });
  }
}

export function replay(journal: readonly Event[]): Map<string, Task> {
  const tasks = new Map<string, Task>();
  for (const event of journal) {
    const task = evolve(tasks.get(event.taskId), event);
    if (task) tasks.set(event.taskId, task);
  }
  return tasks;
}

/** Without its stamp a fact is what `decide` said. */
export function bare({ v: _v, seq: _seq, at: _at, ...fact }: Event): unknown {
  return fact;
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
