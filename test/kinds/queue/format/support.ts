import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { queueLayout } from '../../../../src/kinds/queue/format/layout.ts';
import type { Entry } from '../../../../src/layout/layout.ts';
import type { Command } from '../../../../src/task/command.ts';
import { decide } from '../../../../src/task/decide.ts';
import { evolve } from '../../../../src/task/evolve.ts';
import type { Fields } from '../../../../src/task/json.ts';
import { newEventSchema, taskSchema, type Event, type Task } from '../../../../src/task/schema.ts';

const folder = new URL('../../../fixtures/queue/', import.meta.url);

export const fixtures = readdirSync(folder).map((name) => ({ name, text: fixture(name) }));

export function fixture(name: string): string {
  return readFileSync(new URL(`${name}/.takt/tasks.yaml`, folder), 'utf8');
}

/** What the store does with commands: each must be legal, and every event and task must pass the schema. */
export function run(commands: readonly Command[], from?: Task): Task {
  let task = from;
  let seq = from?.rev ?? 0;
  for (const said of commands) {
    const command = withToken(said, task);
    const decision = decide({ get: (id) => (id === task?.id ? task : undefined) }, command, now);
    if (!decision.ok) throw new Error(`${command.type}: ${decision.refusal.message}`);
    for (const made of decision.events) {
      const event: Event = { ...v.parse(newEventSchema, made), v: 1, seq: ++seq, at: now };
      task = evolve(task, event);
    }
  }
  return v.parse(taskSchema, task);
}

/** What ends a run well comes from the process that holds it, and never from the file. */
function withToken(command: Command, task: Task | undefined): Command {
  const isHolder = command.type === 'settle' && command.by !== 'file' && task && 'token' in task;
  return isHolder && task.token !== undefined ? { token: task.token, ...command } : command;
}

export const now = '2026-12-01T00:00:00.000Z';

export function entry(text: string, ref = 'a'): Entry {
  return { ref, text, line: 1 };
}

export function fieldsOf(text: string): Fields {
  const parsed = queueLayout.parse(entry(text));
  if ('wrong' in parsed)
    throw new Error(`${parsed.wrong.line}:${parsed.wrong.column} ${parsed.wrong.message}`);
  return parsed.fields;
}

export function adopted(fields: Fields, ref = 'a'): Task {
  const made = queueLayout.adopt(fields, ref);
  if ('message' in made) throw new Error(made.message);
  return run(made.commands);
}

export const pending: Fields = {
  name: 'a',
  status: 'pending',
  content: 'do it',
  created_at: '2026-02-01T00:00:00.000Z',
  started_at: null,
  completed_at: null,
  owner_pid: null,
};
export const running: Fields = {
  ...pending,
  status: 'running',
  started_at: '2026-02-01T01:00:00.000Z',
  owner_pid: 42,
};
export const completed: Fields = {
  ...running,
  status: 'completed',
  completed_at: '2026-02-01T02:00:00.000Z',
  owner_pid: null,
};
export const failed: Fields = { ...completed, status: 'failed', failure: { error: 'boom' } };
