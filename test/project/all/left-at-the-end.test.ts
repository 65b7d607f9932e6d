import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openDocket } from '../../../src/project/docket.ts';
import { report, ShellProject } from '../../support/shell-project.ts';

const subtask = { taskId: 'one', title: 'one', agent: 'worker', adapter: 'sh', prompt: 'one please' };

it('a task directory that was left while its end was proved is taken up again', async () => {
  const project = new ShellProject(report());
  project.write('.gitignore', '.docket\n.agentmesh\n');
  const file = path.join(project.root, '.docket/config.yaml');
  const settings = JSON.parse(fs.readFileSync(file, 'utf8')) as object;
  const proof = `touch ${project.cues}/proving; until [ -e ${project.cues}/go ]; do sleep 0.05; done`;
  fs.writeFileSync(file, JSON.stringify({ ...settings, acceptance: [proof] }));
  const docket = await openDocket({ cwd: project.root, root: project.root, env: project.env });
  const tasks = await docket.tasks();
  const { id } = await tasks.create({ title: 'one', topology: 'swarm' });
  const actions = JSON.stringify({ sessionGoal: 'one', tasks: [subtask] });
  const stop = new AbortController();
  const run = tasks.run(id, { kind: 'actions', actions, source: 'actions.json', signal: stop.signal });
  await project.said('proving');
  stop.abort('shutdown');
  expect((await run).task.status).toBe('queued');
  project.cue('go');
  const faults: unknown[] = [];
  const all = { onFault: (fault: unknown) => void faults.push(fault) };
  const ran = await docket.run({ all, signal: new AbortController().signal });
  await docket.close();
  expect(faults).toEqual([]);
  expect(ran.map(({ task }) => task.status)).toEqual(['done']);
});
