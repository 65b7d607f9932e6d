import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  addTasks,
  bareClone,
  bareRun,
  instant,
  makeProject,
  openProject,
  runAll,
  times,
  writing,
} from '../../queue-project.mjs';
import { compare, millis, ms, number } from '../../support.mjs';

/** Milliseconds beside the agent's own process: for a task in place, for one more step, for a task in a clone. */
const aims = { inPlace: 30, step: 10, clone: 50 };
const steps = 5;

/** What a task costs beside its agent: claim, order, journal, supervisor, looks at the work tree, files for people. */
export async function inPlace({ data, rounds, quick }) {
  const tasks = quick ? 5 : 20;
  const root = path.join(data, 'in-place');
  makeProject(root);
  const app = await openProject(root);
  const found = await compare(
    rounds,
    () => millis(() => times(tasks, () => bareRun(instant, root))),
    async () => {
      await addTasks(app, tasks);
      return millis(() => runAll(app, tasks));
    },
  );
  await app.close();
  return row(
    'a task in place',
    `${tasks} tasks with instant agents, one after the other, against as many spawns`,
    {
      found,
      count: tasks,
      aim: aims.inPlace,
    },
  );
}

/** A workflow of six steps against one of a single step; what is left is five steps. */
export async function extraStep({ data, rounds, quick }) {
  const tasks = quick ? 2 : 6;
  const root = path.join(data, 'steps');
  makeProject(root, { steps: [1, 1 + steps] });
  const app = await openProject(root);
  const ran = async (workflow) => {
    await addTasks(app, tasks, { workflow });
    return millis(() => runAll(app, tasks));
  };
  const found = await compare(
    rounds,
    () => millis(() => times(tasks * steps, () => bareRun(instant, root))),
    async () => {
      const one = await ran('steps-1');
      return (await ran(`steps-${1 + steps}`)) - one;
    },
  );
  await app.close();
  return row(
    'one more step of a workflow',
    `${1 + steps} steps less 1, against as many spawns of the agent`,
    {
      found,
      count: tasks * steps,
      aim: aims.step,
    },
  );
}

/** With its branch, its commit, and the work taken home. */
export async function withClone({ data, rounds, quick }) {
  const tasks = quick ? 3 : 10;
  const root = path.join(data, 'clone');
  const bare = path.join(data, 'bare-clones');
  makeProject(root, { agent: writing });
  const app = await openProject(root);
  const found = await compare(
    rounds,
    async () => {
      mkdirSync(bare);
      const took = await millis(() => times(tasks, (n) => clonedAndRun(root, path.join(bare, String(n)))));
      rmSync(bare, { recursive: true });
      return took;
    },
    async () => {
      await addTasks(app, tasks, { worktree: true });
      return millis(() => runAll(app, tasks));
    },
  );
  await app.close();
  return row(
    'a task in a clone',
    `${tasks} tasks that change a file, against git clone and a spawn for each`,
    {
      found,
      count: tasks,
      aim: aims.clone,
    },
  );
}

async function clonedAndRun(root, place) {
  await bareClone(root, place);
  await bareRun(writing, place);
}

function row(name, compared, { found, count, aim }) {
  const each = (found.subject - found.base) / count;
  return {
    name,
    compared,
    ...found,
    aim: { most: Number(((found.base + count * aim) / found.base).toFixed(2)) },
    orientation: `${number(each)} ms for each beside that (aim ${aim}); without docket ${ms(found.base / count)}`,
  };
}
