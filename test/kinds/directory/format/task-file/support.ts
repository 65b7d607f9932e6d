import { readdirSync, readFileSync } from 'node:fs';
import { agentmeshLayout as layout } from '../../../../../src/kinds/directory/format/layout.ts';
import type { TaskFile } from '../../../../../src/kinds/directory/format/task-file.ts';
import type { Entry } from '../../../../../src/layout/layout.ts';
import type { Wrong } from '../../../../../src/schema/problem.ts';
import type { Command } from '../../../../../src/task/command.ts';
import type { Step } from '../../../../../src/task/run.ts';
import type { Task, TaskOf } from '../../../../../src/task/schema.ts';
import { now, run } from '../../../queue/format/support.ts';

export { now, run };

const folder = new URL('../../../../fixtures/agentmesh/', import.meta.url);

export const fixtures = readdirSync(folder).map((name) => ({ name, text: fixture(name) }));

export function fixture(name: string): string {
  return readFileSync(new URL(`${name}/task.yaml`, folder), 'utf8');
}

export function entry(text: string): Entry {
  return { ref: 'task', text, line: 1 };
}

export function fileIn(text: string): TaskFile {
  const parsed = layout.parse(entry(text));
  if ('wrong' in parsed)
    throw new Error(`${parsed.wrong.line}:${parsed.wrong.column} ${parsed.wrong.message}`);
  return parsed.fields as TaskFile;
}

export function wrongIn(text: string): Wrong | undefined {
  const parsed = layout.parse(entry(text));
  return 'wrong' in parsed ? parsed.wrong : undefined;
}

export function adopted(file: TaskFile): Task {
  const made = layout.adopt(file, 'task');
  if ('message' in made) throw new Error(made.message);
  return run(made.commands);
}

export function describe(task: Task): TaskFile {
  return layout.describe(task) as TaskFile;
}

export const plain: TaskFile = fileIn('id: t1\ntitle: T\ntopology: swarm\nstate: created\n');

export function step(id: string, more: Partial<Step> = {}): Step {
  return { id, kind: 'work', title: id, role: 'backend', agent: 'codex-exec', needs: [], ...more };
}

/** A task that runs these steps. */
export function dispatched(file: TaskFile, steps: readonly Step[]): TaskOf<'running'> {
  const task = run([{ type: 'start', id: file.id, by: 'w', owner: 'w', lease }], adopted(file));
  return also(task, (token) => [
    { type: 'dispatch', id: file.id, by: 'w', token, n: 1, goal: 'g', steps: [...steps], orders: '{}' },
  ]);
}

const lease = { kind: 'term', until: '2099-01-01T00:00:00.000Z' } as const;

/** The same task after commands that carry its token. */
export function also(task: Task, commands: (token: number) => Command[]): TaskOf<'running'> {
  const token = 'token' in task ? (task.token ?? 0) : 0;
  return run(commands(token), task) as TaskOf<'running'>;
}

export function finish(task: Task, id: string, state: 'done' | 'failed' | 'blocked' | 'canceled'): Task {
  return also(task, (token) => [{ type: 'finish', id: task.id, by: 'w', token, step: id, state }]);
}

export function ask(task: Task, gate: string, kind: 'human-approval' | 'milestone-gate', by?: string): Task {
  return also(task, (token) => [
    {
      type: 'ask',
      id: task.id,
      by: 'w',
      token,
      gate,
      kind,
      reason: 'why?',
      ...(by !== undefined && { step: by }),
    },
  ]);
}
