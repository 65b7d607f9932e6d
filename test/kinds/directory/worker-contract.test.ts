import { expect, it } from 'vitest';
import { ended } from '../../support/child.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

const words = {
  adapter: 'command',
  command: ['/bin/sh', '-c', 'cat > /dev/null; echo "I could not do it."'],
};

it('does not take the words of a command for a report of success, unless its settings say so', async () => {
  const project = await TaskProject.created({ words, text: { ...words, report: 'text' } });
  const { task } = await project.run(
    actions(subtask('one', '', { adapter: 'words' }), subtask('two', '', { adapter: 'text' })),
  );
  expect(task.status).toBe('failed');
  expect(project.finals()).toEqual({ one: 'failed', two: 'success' });
});

it('tells every worker the goal and the commands that prove the work', async () => {
  const project = await TaskProject.created();
  project.configure({ acceptance: ['test -f a.txt'] });
  await project.run(actions(subtask('one'), subtask('two')));
  for (const { prompt } of project.codex.visits()) {
    expect(prompt).toContain('Ship the thing');
    expect(prompt).toMatch(/# Done when\n\nThese commands will be run as proof[^\n]*\n- test -f a\.txt/);
  }
});

it('shows a task that a person called completed in task.yaml as marked by hand', async () => {
  const project = await TaskProject.ran(subtask('one', 'failed'), subtask('two'));
  project.edit('task.yaml', (text) => text.replace(/^state: .*$/m, 'state: completed'));
  const listed = await project.docket('task', 'list');
  expect(listed.out).toMatch(/completed .*\[marked done by hand, not proved\]/);
  const shown = await project.docket('task', 'show', project.id);
  expect(shown.out).toContain('marked done by hand, not proved');
  const checked = await project.docket('task', 'validate', project.id);
  expect(checked.out).toContain('marked done by hand, not proved');
  expect((await project.docket('task', 'resume', project.id)).code).toBe(0);
  expect(project.data('task.yaml')['state']).toBe('completed');
});

it('calls files that docket makes by itself a note, not an error', async () => {
  const project = new TaskProject();
  project.id = 'bare';
  const yaml = 'id: bare\ntitle: Bare\ntopology: swarm\nstate: created\n';
  const { mkdirSync } = await import('node:fs');
  for (const name of ['shared', 'agents']) mkdirSync(`${project.dir}/${name}`, { recursive: true });
  project.edit('task.yaml', () => yaml);
  const findings = await (await project.tasks()).validate('bare');
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(findings.filter(({ severity }) => severity === 'note')).toHaveLength(3);
});

it('names the worker in the answer to its question', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'));
  await project.answer('gate-one', 'approved', { note: 'Yes.' });
  expect(project.log('gate.approved')).toMatchObject([{ agentInstance: 'one' }]);
});

it('shows the work of a killed docket as interrupted, not as running', async () => {
  const project = await TaskProject.created();
  project.write('actions.json', actions(subtask('one', 'hang')));
  const child = project.start('task', 'run', project.id, '--actions', 'actions.json');
  await project.codex.started(1);
  child.kill('SIGKILL');
  await ended(child);
  const { out } = await project.docket('task', 'show', project.id, '--json');
  expect(JSON.parse(out)).toMatchObject({ state: 'working', steps: [{ step: 'one', state: 'interrupted' }] });
});
