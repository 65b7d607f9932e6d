import fs from 'node:fs';
import path from 'node:path';
import { openDocket } from '../../src/project/docket.ts';
import type { Task } from '../../src/task/schema.ts';
import type { NightProject } from './night-project.ts';

/** Every task of a root, whatever its layout, by its name. */
export async function tasksOf(root: string, { env, clock }: NightProject): Promise<Map<string, Task>> {
  const docket = await openDocket({ cwd: root, root, env, clock });
  const [queue, tasks, packets] = await Promise.all([docket.list({}), docket.tasks(), docket.packets()]);
  const [directories, { packets: packed }] = await Promise.all([tasks.list(), packets.list()]);
  const board = await boardTasks(root, clock);
  const named = [
    ...queue.tasks.map((task) => [nameOf(task), task] as const),
    ...directories.tasks.map(({ task }) => [task.title, task] as const),
    ...packed.map(({ id, task }) => [id, task] as const),
    ...board.map((task) => [task.title.replace('work of ', ''), task] as const),
  ];
  return new Map(named);
}

function nameOf({ extras, id }: Task): string {
  const name = extras['queue']?.['name'];
  return typeof name === 'string' ? name : id;
}

async function boardTasks(root: string, clock: NightProject['clock']): Promise<Task[]> {
  const { readBoard } = await import('../../src/kinds/board/look.ts');
  return readBoard({ root, clock }).read({}, (tasks) => tasks.list());
}

/** What became of a task, in one word or two; where something else was expected, with the reason. */
export function fateOf(task: Task, expected: string | undefined): string {
  if (task.status !== 'blocked') return task.status;
  const { kind, text } = task.reason;
  const fate = `blocked ${kind}`;
  return fate === expected ? fate : `${fate}: ${text}`;
}

/** A file that a task made: in the people's own tree, or in its clone. */
export function linesIn(root: string, file: string, id = ''): string[] {
  const clone = path.join(root, '.docket/queue/clones', id);
  const made = [root, clone].map((tree) => path.join(tree, file)).find((place) => fs.existsSync(place));
  return made === undefined ? [] : fs.readFileSync(made, 'utf8').split('\n').slice(0, -1);
}
