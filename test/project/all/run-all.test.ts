import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openDocket } from '../../../src/project/docket.ts';
import { recordText } from '../../support/queue-project.ts';
import { ShellProject } from '../../support/shell-project.ts';

const subtask = (taskId: string) => {
  return { taskId, title: taskId, agent: 'worker', adapter: 'sh', prompt: `${taskId} please` };
};

/** Says "twice" if another works in the same tree at that time. */
const alone = `mkdir "$CUES/tree" || say twice
echo "$name" >> "$CUES/log"
sleep 0.2
rmdir "$CUES/tree"
printf '%s\\n' '{"status":"success","summary":"it is done"}'`;

it('who works in the people’s tree is alone in it, whatever the layout, and all are done', async () => {
  const project = new ShellProject(alone);
  project.write('.gitignore', '.docket\n.takt\n.agentmesh\n');
  const docket = await openDocket({ cwd: project.root, root: project.root, env: project.env });
  const tasks = await docket.tasks();
  for (const name of ['one', 'two']) {
    const { id } = await tasks.create({ title: name, topology: 'swarm' });
    const actions = JSON.stringify({ sessionGoal: name, tasks: [subtask(name)] });
    const signal = AbortSignal.abort('shutdown');
    await tasks.run(id, { kind: 'actions', actions, source: 'actions.json', signal });
  }
  fs.mkdirSync(path.join(project.root, '.takt'));
  project.write(
    '.takt/tasks.yaml',
    `tasks:\n${['three', 'four'].map((name) => recordText({ name })).join('')}`,
  );
  const faults: unknown[] = [];
  const all = { onFault: (fault: unknown) => void faults.push(fault) };
  const ran = await docket.run({ all, parallel: 4, signal: new AbortController().signal });
  await docket.close();
  expect(faults).toEqual([]);
  expect(ran.map(({ task }) => task.status)).toEqual(['done', 'done', 'done', 'done']);
  const log = fs.readFileSync(path.join(project.cues, 'log'), 'utf8').trimEnd().split('\n');
  expect(log).toHaveLength(4);
  expect(project.has('twice')).toBe(false);
});
