import { expect, it } from 'vitest';
import { actions, shell, subtask, TaskProject } from '../../support/task-project.ts';

const blocked = () => TaskProject.ran(subtask('one', 'blocked'));

it('goes on in the same vendor session, with the answer and the notes in its prompt', async () => {
  const project = await blocked();
  project.edit('shared/human-notes.md', (text) => `${text}- Mind the gap.\n`);
  await project.answer('gate-one', 'approved', { note: 'Take the left way.' });
  const { task } = await project.resume();
  expect(task.status).toBe('done');
  const [first, second] = project.codex.visits('one');
  expect(second).toMatchObject({
    how: 'resume',
    from: first?.thread,
    thread: first?.thread,
    home: first?.home,
  });
  expect(second?.prompt).toMatch(/high priority[^]*Take the left way\.[^]*Mind the gap\./);
  expect(second?.prompt).not.toContain('Work on it.');
});

it('never resumes what was rejected', async () => {
  const project = await TaskProject.ran(subtask('one', 'blocked'), subtask('two'));
  await project.answer('gate-one', 'rejected', { note: 'Not this way.' });
  const { task } = await project.resume();
  expect(task.status).toBe('failed');
  expect(project.finals()).toEqual({ one: 'failed', two: 'success' });
  expect(project.codex.visits('one')).toHaveLength(1);
  project.edit('shared/human-notes.md', (text) => `${text}- Do it all the same.\n`);
  await project.resume();
  expect(project.codex.visits('one')).toHaveLength(1);
  expect(project.list('task.yaml', 'gates')).toMatchObject([{ state: 'rejected', resolvedBy: 'human' }]);
});

it('refuses answers that come twice, too late, or to somebody else', async () => {
  const project = await TaskProject.ran(subtask('one', 'stuck'));
  await expect(project.answer('gate-two', 'approved')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    exitCode: 3,
  });
  await expect(project.answer('../one', 'approved')).rejects.toMatchObject({ exitCode: 3 });
  await project.answer('gate-one', 'approved', { times: 1 });
  await expect(project.answer('gate-one', 'rejected')).rejects.toMatchObject({
    code: 'REFUSED',
    exitCode: 4,
  });
  await project.resume(); // it is blocked again
  await expect(project.answer('gate-one', 'approved', { times: 1 })).rejects.toMatchObject({ exitCode: 4 });
  await expect(project.answer('gate-one', 'approved', { choice: 'accept' })).rejects.toMatchObject({
    exitCode: 2,
  });
  expect(project.list('task.yaml', 'gates')).toMatchObject([{ id: 'gate-one', state: 'blocked' }]);
  expect(project.log('gate.blocked')).toHaveLength(2);
});

it('takes only new words in the notes for an answer', async () => {
  const project = await TaskProject.created();
  project.edit('shared/human-notes.md', (text) => `${text}- Said before.\n`);
  await project.run(actions(subtask('one', 'stuck')));
  const refusal = { code: 'NEEDS_PERSON', exitCode: 5 };
  await expect(project.resume()).rejects.toMatchObject(refusal);
  project.edit('shared/human-notes.md', (text) => `\n${text.replaceAll('\n', '\r\n')}  \n`);
  await expect(project.resume()).rejects.toMatchObject(refusal);
  project.edit('shared/human-notes.md', (text) => `${text}- Said now.\n`);
  await project.resume();
  expect(project.log('gate.approved')).toMatchObject([{ payload: { note: '- Said now.' } }]);
  await expect(project.resume()).rejects.toMatchObject(refusal); // blocked again, and those words are used up
  expect(project.codex.visits('one')).toHaveLength(2);
});

it('lets those at work finish, and those in the queue wait', async () => {
  const project = await TaskProject.created();
  const tasks = [subtask('one', 'blocked'), subtask('two', 'wait:go'), subtask('three'), subtask('four')];
  const run = project.run(actions(...tasks), { parallel: 2 });
  await project.codex.started(2);
  await project.untilGate('gate-one');
  await project.untilText('task.yaml', /^state: input-required$/m);
  project.codex.cue('go');
  expect((await run).steps.map(({ state }) => state)).toEqual(['blocked', 'done', 'waiting', 'waiting']);
  expect(project.text('shared/reports/joined-summary.md')).toContain('Did two.');
  await project.answer('gate-one', 'approved');
  expect((await project.resume()).steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  expect(project.codex.visits('two')).toHaveLength(1);
});

it('answers a gate while the others are still at work, and the run goes on with it', async () => {
  const project = await TaskProject.created();
  const run = project.run(actions(subtask('one', 'blocked'), subtask('two', 'wait:go')));
  await project.codex.started(2);
  await project.untilGate('gate-one');
  await project.answer('gate-one', 'approved', { note: 'left' });
  await project.codex.started(2, 'one');
  project.codex.cue('go');
  expect((await run).task.status).toBe('done');
});

it.each([
  ['approved', 'done', 2],
  ['rejected', 'failed', 1],
])('a gate may be %s in the file itself', async (word, status, visits) => {
  const project = await blocked();
  project.edit('task.yaml', (text) => text.replace('state: blocked', `state: ${word}`));
  expect((await project.resume()).task.status).toBe(status);
  expect(project.codex.visits('one')).toHaveLength(visits);
  expect(project.list('task.yaml', 'gates')).toMatchObject([{ state: word, resolvedBy: 'human' }]);
});

it('waits for every gate; new notes answer all of them', async () => {
  const project = await TaskProject.ran(
    subtask('one', 'blocked'),
    subtask('two', 'blocked'),
    subtask('six', 'blocked'),
  );
  await project.answer('gate-one', 'approved');
  await expect(project.resume()).rejects.toMatchObject({
    exitCode: 5,
    data: { gates: expect.arrayContaining(['gate-two', 'gate-six']) },
  });
  project.edit('shared/human-notes.md', (text) => `${text}- Left, both of you.\n`);
  expect((await project.resume()).task.status).toBe('done');
  expect(project.codex.visits('two')[1]?.prompt).toContain('Left, both of you.');
});

it('tells an agent that cannot resume everything anew, the answer first', async () => {
  const asks = `case $prompt in *'From a person'*) ;; *) echo '{"status":"blocked","summary":"Which way?"}'; exit;; esac`;
  const project = await TaskProject.created({ asker: shell(asks) });
  await project.run(actions(subtask('one', '', { adapter: 'asker' })));
  await project.answer('gate-one', 'approved', { note: 'Take the left way.' });
  expect((await project.resume()).task.status).toBe('done');
  expect(project.text('agents/one/runtime/prompt')).toMatch(
    /^# From a person[^]*Take the left way\.[^]*Work on it\./,
  );
});
