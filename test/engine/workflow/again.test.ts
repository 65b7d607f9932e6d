import { expect, it } from 'vitest';
import { TaskProject, actions, subtask } from '../../support/task-project.ts';
import { answerIn, inFolder } from '../../surfaces/cli/real-world.ts';

it('what failed is tried again in its conversation, and what is done stays done', async () => {
  const project = await TaskProject.created();
  const one = subtask('one', 'failed');
  await project.run(actions(one, subtask('two'), subtask('three', 'success', { needs: ['one'] })));
  const tasks = await project.tasks();
  const signal = AbortSignal.timeout(60_000);
  expect((await tasks.resume(project.id, { signal })).task.status).toBe('failed');
  await expect(tasks.retry(project.id, { signal, steps: ['two'] })).rejects.toMatchObject({ exitCode: 4 });
  await expect(tasks.retry(project.id, { signal, steps: ['no'] })).rejects.toMatchObject({ exitCode: 3 });
  expect(project.codex.visits()).toHaveLength(2);
  const { task } = await tasks.retry(project.id, { signal, note: '[[success]] Node 20 is there now.' });
  expect(task.status).toBe('done');
  const [first, second] = project.codex.visits('one');
  expect(second).toMatchObject({ how: 'resume', from: first?.thread });
  expect(second?.prompt).toContain('Node 20 is there now.');
  expect(project.finals()).toEqual({ one: 'success', two: 'success', three: 'success' });
  expect(project.codex.visits('two')).toHaveLength(1);
});

it('what was canceled is reopened by a retry, not by a resume, and asks its open question again', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'));
  const tasks = await project.tasks();
  await tasks.cancel(project.id, {});
  const signal = AbortSignal.timeout(60_000);
  await expect(tasks.resume(project.id, { signal })).rejects.toMatchObject({
    code: 'REFUSED',
    fix: expect.stringContaining(`docket task retry ${project.id}`),
  });
  expect((await tasks.show(project.id)).task.status).toBe('canceled');
  const { task } = await tasks.retry(project.id, { signal });
  expect(project.codex.visits('one')).toHaveLength(1);
  expect(task).toMatchObject({ status: 'blocked', run: { gates: { 'gate-one': { times: 2 } } } });
});

it('what a person said no to is tried again only by its name', async () => {
  const project = await TaskProject.ran(
    subtask('one', 'blocked'),
    subtask('two', 'success', { needs: ['one'] }),
    subtask('other'),
  );
  const { id, root } = project;
  await project.answer('gate-one', 'rejected', { note: 'Not this way.' });
  const tasks = await project.tasks();
  const signal = AbortSignal.timeout(60_000);
  await tasks.resume(id, { signal });
  expect(await answerIn(root, ['needs-me'])).toMatchObject({ needs: [] });
  const { cause, next } = await answerIn(root, ['explain', id]);
  expect(cause).toEqual({
    kind: 'rejected',
    text: expect.stringContaining('one was rejected by') as unknown,
  });
  const back = `docket task retry ${id} one --note TEXT`;
  expect((next as { command: string }[]).map(({ command }) => command)).toContain(back);
  expect((await inFolder(root, ['task', 'resume', id])).stderr).toContain(
    `Next: nothing; if it is wanted after all: ${back}\n`,
  );
  await expect(tasks.retry(id, { signal })).rejects.toMatchObject({
    code: 'REFUSED',
    fix: expect.stringContaining(`docket task retry ${id} one --note`) as unknown,
  });
  await expect(tasks.retry(id, { signal, steps: ['other'] })).rejects.toMatchObject({
    message: `subtask other of task ${id} did not fail: it is done`,
    exitCode: 4,
  });
  await expect(tasks.retry(id, { signal, steps: ['nope'] })).rejects.toMatchObject({ exitCode: 3 });
  expect(project.codex.visits('one')).toHaveLength(1);
  const { task } = await tasks.retry(id, { signal, steps: ['one'], note: '[[success]] Go on.' });
  expect(task.status).toBe('done');
  expect(project.codex.visits('one')[1]?.prompt).toContain('Now it is wanted after all.');
});

it('a run of everything that ends with a no sends nobody to needs-me, where nothing is', async () => {
  const project = await TaskProject.ran(
    subtask('one', 'blocked'),
    subtask('two', 'success', { needs: ['one'] }),
  );
  await project.answer('gate-one', 'rejected', { note: 'Not this way.' });
  const { code, stdout, stderr } = await inFolder(project.root, ['run', '--all']);
  expect([code, stdout]).toEqual([1, expect.stringContaining('failed')]);
  expect(stderr).not.toContain('docket needs-me');
});

it('what failed beside a gate is tried again after the answer, and a no stays a no', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two', 'failed'));
  const { id, root } = project;
  const tasks = await project.tasks();
  const signal = AbortSignal.timeout(60_000);
  await expect(tasks.retry(id, { signal })).rejects.toMatchObject({ code: 'NEEDS_PERSON' });
  const no = await inFolder(root, ['gate', 'reject', id, '--note', 'Not this way.']);
  expect(no).toMatchObject({ code: 0, stdout: `rejected gate-one of ${id}; it is failed\n` });
  expect(no.stderr).toBe(`Next: mend what failed, then docket task retry ${id}\n`);
  const { needs } = await answerIn(root, ['needs-me']);
  const [need] = needs as { why: { text: string }; command: string }[];
  expect(need?.why.text).toMatch(/^failed: one: rejected by .*: Not this way\.; two: /);
  const { task } = await tasks.retry(id, { signal, note: '[[success]]' });
  expect(task).toMatchObject({ status: 'failed', failure: { error: expect.stringMatching(/^one: [^;]*$/) } });
  expect(project.finals()).toEqual({ one: 'failed', two: 'success' });
  expect(project.codex.visits('one')).toHaveLength(1);
});

it('a task that a person canceled in task.yaml is not resumed, and its questions stay unanswered', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two'));
  project.edit('task.yaml', (text) => text.replace(/^state: .*$/m, 'state: canceled'));
  const { id } = project;
  const resumed = await project.docket('task', 'resume', id, '--json');
  expect([resumed.code, resumed.out]).toEqual([4, expect.stringContaining(`docket task retry ${id}`)]);
  expect(project.codex.visits('one')).toHaveLength(1);
  expect(project.data('task.yaml')['state']).toBe('canceled');
  expect((await project.docket('task', 'retry', id)).code).toBe(5);
  expect(project.codex.visits('one')).toHaveLength(1);
});
