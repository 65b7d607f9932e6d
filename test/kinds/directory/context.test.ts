import { expect, it } from 'vitest';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

const manifest = `attachments:
  - {id: good, kind: file, path: a.txt}
  - {id: gone, kind: file, path: docs/none.md}
  - {id: up, kind: file, path: ../secret}
  - {id: root, kind: file, path: /etc/hosts}
  - {id: odd, kind: folder, path: a.txt}
  - {id: far, kind: snippet, path: a.txt, range: "400:500"}
  - {id: back, kind: snippet, path: a.txt, range: "9:2"}
`;

it('tells people and agents what of the context manifest cannot be attached, and attaches the rest', async () => {
  const project = await TaskProject.created();
  project.edit('shared/context-manifest.yaml', () => manifest);
  project.write('actions.json', actions(subtask('one')));
  const ran = await project.docket('task', 'run', project.id, '--actions', 'actions.json', '--json');
  expect(ran.code).toBe(0);
  const { warnings } = JSON.parse(ran.out) as { warnings: string[] };
  expect(warnings).toEqual([
    expect.stringContaining('line 4: attachments[2] has a path that climbs'),
    expect.stringContaining('line 5: attachments[3] has a path that is absolute'),
    expect.stringContaining('line 6: attachments[4] has no kind'),
    expect.stringContaining('line 8: attachments[6] has no good range'),
    expect.stringContaining('gone is not attached: there is no file docs/none.md'),
    expect.stringContaining('far is not attached: a.txt has no line 400'),
  ]);
  const prompt = project.codex.visits('one')[0]?.prompt ?? '';
  expect(prompt).toMatch(/# Attached\n\na\.txt/);
  for (const warning of warnings) expect(prompt).toContain(warning);
});

it('takes an absolute folder inside the project as the place of work', async () => {
  const project = await TaskProject.created();
  const { task } = await project.run(
    actions(
      subtask('one', 'success', { cwd: project.root }),
      subtask('two', 'success', { cwd: `${project.root}/.docket` }),
    ),
  );
  expect(task.run?.steps.map(({ cwd }) => cwd)).toEqual(['.', '.docket']);
  await expect(project.run(actions(subtask('three', 'success', { cwd: '/etc' })))).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('is absolute'),
  });
});

it('takes secrets out of the order, the notes and what is attached before an agent sees them', async () => {
  const project = await TaskProject.created();
  project.write('a.txt', 'password: hunter2a\n');
  project.edit('shared/context-manifest.yaml', () => 'attachments:\n  - {id: a, kind: file, path: a.txt}\n');
  project.edit('shared/human-notes.md', (text) => `${text}\n密码：hunter2b\n`);
  const order = subtask('one', 'blocked', { title: 'one password: hunter2d' });
  const orders = actions({ ...order, prompt: `${String(order['prompt'])}\npassword: hunter2c\n` });
  await project.run(orders.replace('Ship the thing', 'Ship it, password: hunter2'));
  const [first] = project.codex.visits();
  expect(first?.prompt).not.toContain('hunter2');
  expect(first?.prompt.match(/(?:password: |密码：)\[REDACTED\]/g)).toHaveLength(5);

  await project.answer('gate-one', 'approved', { note: '[[success]] password: hunter2' });
  await project.resume();
  const prompts = project.codex.visits().map(({ prompt }) => prompt);
  expect(prompts).toHaveLength(2);
  expect(prompts[1]).toContain('[[success]] password: [REDACTED]');
});

it('takes secrets out of the goal that a planner is given', async () => {
  const project = await TaskProject.created();
  await project.plan('Ship it, password: hunter2', 1);
  const prompts = project.codex.visits().map(({ prompt }) => prompt);
  expect(prompts[0]).toContain('Ship it, password: [REDACTED]');
  expect(prompts.join('\n')).not.toContain('hunter2');
});
