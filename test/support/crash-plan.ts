import { newRecord } from '../../src/kinds/queue/format/record.ts';
import type { Command } from '../../src/task/command.ts';
import type { NewEvent } from '../../src/task/schema.ts';

/**
 * What a process does until it is killed, as data, because the process that is killed is another program than the
 * test (test/bin/crash-child.mjs). The name of a step is also its idempotency key.
 */
export interface Step {
  name: string;
  /** Steps of one lane depend on each other; those of different lanes do not. */
  lane: string;
  do: { command: Command; token?: true } | { take: string } | { compact: true };
  /** Afterwards the run's own lock is given up, as an engine does with finished work. */
  release?: string;
}

export interface Plan {
  steps: readonly Step[];
  /** Committed before the first step, in one transaction. */
  before: readonly NewEvent[];
  /** Steps at which the sequence is taken up by a new process, so that a kill is near the start of its own. */
  starts: readonly number[];
}

type Rest = Command extends infer C ? (C extends Command ? Omit<C, 'id' | 'by' | 'token'> : never) : never;

export const worker = 'worker';
export const fixedTime = Date.parse('2026-03-01T12:00:00.000Z');
const term = { kind: 'term', until: '2099-01-01T00:00:00.000Z' } as const;
const until = term.until;
const owner = worker;

/** A step's name says what is done to which task, and the how-manieth time it is. */
function planner(): { steps: Step[]; add: (lane: string, id: string, command: Rest, token?: true) => Step } {
  const steps: Step[] = [];
  const add = (lane: string, id: string, command: Rest, token?: true): Step => {
    const nth = steps.filter(({ name }) => name.startsWith(`${command.type} ${id} `)).length + 1;
    const full = { id, by: worker, ...command } as Command;
    const step: Step = {
      name: `${command.type} ${id} ${nth}`,
      lane,
      do: { command: full, ...(token && { token }) },
    };
    steps.push(step);
    return step;
  };
  return { steps, add };
}

function create(id: string): Rest {
  const queue = newRecord({ name: id, taskDir: `.takt/tasks/${id}` });
  return { type: 'create', title: `Title of ${id}`, spec: { body: `Body of ${id}` }, extras: { queue } };
}

/** Thirty commands on five tasks: every command that moves a task, and those that do not. */
export function everyCommand(): Plan {
  const { steps, add } = planner();
  add('a', 'a', create('a'));
  add('b', 'b', { type: 'create', title: 'In the file', spec: { body: 'Two\nlines' } });
  add('a', 'a', { type: 'edit', set: { title: 'Renamed', priority: 3 } });
  add('c', 'c', create('c'));
  add('a', 'a', { type: 'claim', owner, until });
  add('b', 'b', { type: 'start', owner, lease: term });
  add('a', 'a', { type: 'start', owner, lease: term });
  add('b', 'b', { type: 'block', reason: { kind: 'gate', text: 'A person must look.', who: 'ann' } }, true);
  steps.push({ name: 'take c', lane: 'c', do: { take: 'c' } });
  add('a', 'a', { type: 'submit', summary: 'ready' }, true);
  add('b', 'b', { type: 'requeue', reason: 'looked at' });
  add('c', 'c', { type: 'submit', summary: 'ready' }, true);
  add('a', 'a', { type: 'settle', verdict: { kind: 'pass' }, summary: 'good' }, true);
  add('b', 'b', { type: 'start', owner, lease: term });
  add('c', 'c', { type: 'settle', verdict: { kind: 'pass' }, summary: 'good' }, true).release = 'c';
  add('a', 'a', { type: 'archive' });
  add('b', 'b', { type: 'fail', failure: { error: 'broke', step: 'build' } }, true);
  add('c', 'c', { type: 'reopen', reason: 'not good' });
  add('d', 'd', create('d'));
  add('b', 'b', { type: 'cancel', reason: 'not worth it' });
  add('d', 'e', create('e'));
  add('b', 'b', { type: 'reopen', reason: 'worth it' });
  add('d', 'd', { type: 'edit', set: { needs: ['e'] } });
  add('c', 'c', { type: 'cancel', reason: 'no' });
  add('d', 'e', { type: 'claim', owner, until });
  add('b', 'b', { type: 'cancel', reason: 'no, not worth it' });
  add('d', 'e', { type: 'renew', until: '2099-02-01T00:00:00.000Z' }, true);
  add('b', 'b', { type: 'remove', reason: 'tidy' });
  add('d', 'e', { type: 'release', reason: 'no time' }, true);
  add('c', 'c', { type: 'archive' });
  // Not while "c" is running: its worker would be another process, and gone.
  return { steps, before: [], starts: [0, 8, 16, 23] };
}

/** A snapshot falls due in the middle (at event 1000), then two compactions, with commands around each. */
export function snapshotAndCompaction(): Plan {
  const { steps, add } = planner();
  const compact = (nth: number): void => {
    steps.push({ name: `compact ${nth}`, lane: 'a', do: { compact: true } });
  };
  add('a', 'a', create('a'));
  add('a', 'b', create('b'));
  add('a', 'a', { type: 'start', owner, lease: term });
  add('a', 'a', { type: 'settle', verdict: { kind: 'pass' }, summary: 'good' }, true);
  add('a', 'b', { type: 'edit', set: { title: 'Event 1000' } });
  add('a', 'a', { type: 'remove', reason: 'tidy' });
  compact(1);
  add('a', 'b', { type: 'edit', set: { title: 'In the second journal' } });
  add('a', 'c', create('c'));
  compact(2);
  add('a', 'c', { type: 'cancel', reason: 'no' });
  add('a', 'b', { type: 'edit', set: { title: 'In the third journal' } });
  const about = { taskId: 'old', by: 'before' };
  const before: NewEvent[] = [
    { ...about, type: 'task.created', data: { title: 'Old', spec: { body: 'Old.' } } },
  ];
  while (before.length < 995)
    before.push({ ...about, type: 'task.edited', data: { set: { title: `Old ${before.length}` } } });
  return { steps, before, starts: [0, 6] };
}
