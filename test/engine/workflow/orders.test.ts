import { expect, it } from 'vitest';
import { actions, shell, subtask, TaskProject } from '../../support/task-project.ts';

it('what the manifest attaches reaches every prompt, and what it must not reach does not', async () => {
  const project = await TaskProject.created();
  project.write('style.md', 'first line\nuse tabs\nlast line\n');
  const item = (id: string, more: string) => `  - id: ${id}\n${more}`;
  const manifest = [
    'attachments:',
    item('style', '    kind: snippet\n    path: style.md\n    range: "2:2"\n    reason: how we write'),
    item('note', '    kind: file\n    path: shared/human-notes.md'),
    item('gone', '    kind: file\n    path: nowhere.md\n'),
  ].join('\n');
  project.edit('shared/context-manifest.yaml', () => manifest);
  await project.run(actions(subtask('one'), subtask('two', 'success', { adapter: 'shell' })));
  expect(project.finals()).toEqual({ one: 'success', two: 'success' });
  for (const prompt of [project.codex.visits('one')[0]?.prompt, project.text('agents/two/runtime/prompt')]) {
    expect(prompt).toMatch(
      /# Attached[^]*style\.md \(lines 2:2\): how we write\n.*\n<<< data \w+\nuse tabs\n>>>/,
    );
    expect(prompt).not.toContain('first line');
  }
  project.edit(
    'shared/context-manifest.yaml',
    () => 'attachments:\n  - {id: x, kind: file, path: ../home/secret}\n',
  );
  await project.run(actions(subtask('three')));
  expect(project.codex.visits('three')[0]?.prompt).not.toContain('# Attached');
});

it('a subtask that needs another begins after it, with its result', async () => {
  const project = await TaskProject.created();
  await project.run(actions(subtask('two', 'success', { needs: ['one'] }), subtask('one')));
  expect(project.codex.visits().map(({ title }) => title)).toEqual(['one', 'two']);
  expect(project.codex.visits('two')[0]?.prompt).toMatch(/build on[^]*one[^]*Did one\./);
});

it('and never, if the other fails', async () => {
  const project = await TaskProject.ran(
    subtask('one', 'failed'),
    subtask('two', 'success', { needs: ['one'] }),
  );
  expect(project.finals()).toEqual({ one: 'failed', two: 'failed' });
  expect(project.text('agents/two/artifacts/final.json')).toContain('it needs one, which is failed');
  expect(project.codex.visits('two')).toEqual([]);
});

it("the model is the subtask's, and a failure is tried again as often as it says", async () => {
  const project = await TaskProject.ran(
    subtask('one', 'failed', { model: 'gpt-test', retries: 2 }),
    subtask('two'),
  );
  const visits = project.codex.visits('one');
  expect(visits.map(({ model, how }) => `${how} ${model}`)).toEqual(Array(3).fill('new gpt-test'));
  expect(visits[2]?.prompt).toContain('the build is broken');
  expect(project.codex.visits('two')[0]?.model).toBeUndefined();
  expect(project.data('agents/one/session.json')).toMatchObject({ attempts: 3 });
  expect(project.has('agents/one/runtime/attempt-2/events.jsonl')).toBe(true);
});

it('a subtask works in the folder that it names, and in no other', async () => {
  const project = await TaskProject.created({ where: shell('basename "$PWD" > where') });
  project.git('clone', '--quiet', '.', 'inner');
  await project.run(
    actions(
      subtask('one', 'success', { adapter: 'where', cwd: 'inner' }),
      subtask('two', 'success', { adapter: 'where' }),
    ),
  );
  expect([project.read('inner/where'), project.read('where')]).toEqual(['inner\n', 'root\n']);
  await expect(project.run(actions(subtask('six', 'success', { cwd: '../home' })))).rejects.toMatchObject({
    code: 'INVALID',
  });
});

const hostile = [
  { mode: 'fork', forkedFromThreadId: '../../x' },
  { mode: 'fork', forkedFromThreadId: '--last' },
  { model: '--yolo' },
  { cwd: '/etc' },
  { cwd: 'a/../../x' },
  { outputSchemaPath: '../x.json' },
  { agent: '../x' },
];

it('refuses what could become a path or a flag', async () => {
  const project = await TaskProject.created();
  for (const field of hostile) {
    const document = actions(subtask('one', 'success', field));
    await expect(project.run(document)).rejects.toMatchObject({ code: 'INVALID' });
  }
  expect(project.codex.visits()).toEqual([]);
  expect(project.has('agents/one')).toBe(false);
});
