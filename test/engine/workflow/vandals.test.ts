import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { actions, shell, subtask, TaskProject } from '../../support/task-project.ts';

const blocked = { status: 'blocked', summary: 'b', questions: ['May I?'] };

/** A worker that lays hands on its own task directory, as one that may edit the project can. */
async function vandal(script: string, report?: Record<string, unknown>) {
  const project = await TaskProject.created({ vandal: shell(`cd .agentmesh/tasks/*\n${script}`, report) });
  return { project, task: subtask('one', '', { adapter: 'vandal' }) };
}

it('spoils task.yaml: the work goes on, and the file is left as it is', async () => {
  const { project, task } = await vandal("printf ': : [\\n' >> task.yaml");
  const { task: after } = await project.run(actions(task, subtask('two', 'success', { needs: ['one'] })));
  expect(after.status).toBe('done');
  expect(project.text('task.yaml')).toMatch(/: : \[\n$/);
  const tasks = await project.tasks();
  expect((await tasks.show(project.id)).file['state']).toBe('completed');
  expect((await tasks.validate(project.id)).map(({ path: file }) => path.basename(file))).toContain(
    'task.yaml',
  );
});

it('spoils the log: the work goes on, and the line stays where it is and is reported', async () => {
  const { project, task } = await vandal('echo spoilt >> events.jsonl');
  const { task: after } = await project.run(actions(task, subtask('two', 'success', { needs: ['one'] })));
  expect(after.status).toBe('done');
  expect(project.leftovers()).toEqual([]);
  expect(project.text('events.jsonl')).toMatch(/\}\nspoilt\n\{/);
  const found = await (await project.tasks()).validate(project.id);
  expect(found.map(({ message }) => message).join()).toContain('cannot be read');
});

it('puts links where docket writes: nothing leaves the directory', async () => {
  const outside = '../../../../../outside';
  const { project, task } = await vandal(
    `mkdir -p ${outside.slice(3)}; rm -rf shared/reports agents/one/artifacts; ln -s ${outside} shared/reports; ln -s ../${outside} agents/one/artifacts`,
  );
  await project.run(actions(task));
  expect(fs.readlinkSync(path.join(project.dir, 'shared/reports'))).toBe(outside);
  expect(fs.readdirSync(path.join(path.dirname(project.root), 'outside'))).toEqual([]);
});

it('writes notes for itself: what it wrote before it was blocked is no answer', async () => {
  const { project, task } = await vandal("echo '- I may.' >> shared/human-notes.md", blocked);
  await project.run(actions(task));
  await expect(project.resume()).rejects.toMatchObject({ code: 'NEEDS_PERSON' });
});

it('approves itself in the file, before there is a gate: nothing comes of it', async () => {
  const gate = 'gates: [{id: gate-one, type: human-approval, state: approved}]';
  const { project, task } = await vandal(`sed -i 's/^gates:.*/${gate}/' task.yaml`, blocked);
  expect((await project.run(actions(task))).task.status).toBe('blocked');
  await expect(project.resume()).rejects.toMatchObject({ code: 'NEEDS_PERSON' });
});
