import path from 'node:path';
import { addTasks, bareRun, makeProject, openProject, runAll, slow } from '../../queue-project.mjs';
import { compare, millis, ms } from '../../support.mjs';

const atOnce = 10;

/** Many tasks at once, each in a clone of its own: does the foreman keep his people busy? */
export async function batch({ data, rounds, quick }) {
  const tasks = quick ? 20 : 100;
  const root = path.join(data, 'batch');
  makeProject(root, { agent: slow });
  const app = await openProject(root);
  const found = await compare(
    Math.min(rounds, 3),
    () => millis(() => bareLoop(tasks, root)),
    async () => {
      await addTasks(app, tasks, { worktree: true });
      return millis(() => runAll(app, tasks, atOnce));
    },
  );
  await app.close();
  return {
    name: `${tasks} tasks in clones, ${atOnce} at once, agents of 1 s`,
    compared: 'against a loop that keeps as many of the same agent at work',
    ...found,
    aim: { most: 1.15 },
    orientation: `${ms(found.subject)}; the loop ${ms(found.base)}`,
  };
}

async function bareLoop(tasks, cwd) {
  let left = tasks;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await bareRun(slow, cwd);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
