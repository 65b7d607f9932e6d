import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { actions, shell, subtask, TaskProject } from '../../support/task-project.ts';
import { answerIn } from '../../surfaces/cli/real-world.ts';

const liar = {
  status: 'success',
  summary: 'I changed the file.',
  artifacts: { touchedFiles: ['src/never.ts'] },
};

/** Two workers: the report of one is not true. It is told once, and says the same again. */
async function unproved(): Promise<TaskProject> {
  const project = await TaskProject.created({ liar: shell('echo "$prompt" >> told.log', liar) });
  const { task } = await project.run(actions(subtask('one', 'success', { adapter: 'liar' }), subtask('two')));
  expect(task).toMatchObject({ status: 'blocked', reason: { kind: 'verify' } });
  return project;
}

describe('a report of one of two workers that is not true', () => {
  it('opens a question, and no file calls the work a success', async () => {
    const project = await unproved();
    expect(project.list('task.yaml', 'gates')).toMatchObject([
      { id: 'proof', type: 'auto-check', state: 'blocked', reason: expect.stringContaining('src/never.ts') },
    ]);
    expect(project.data('task.yaml')['state']).toBe('input-required');
    expect(project.finals()).toEqual({ one: 'blocked', two: 'success' });
    expect(project.list('task.yaml', 'roster').map(({ state }) => state)).toEqual(['awaiting', 'completed']);
    expect(project.text('shared/state-board.md')).toMatch(
      /`one`.* status=blocked .*\n.*`two`.* status=completed /,
    );
    expect(project.text('README.md')).toContain('1 blocked, 1 completed');
    const joined = project.text('shared/reports/joined-summary.md');
    expect(joined).toContain('- workers: 1 blocked, 1 success\n- proof: not proved\n');
    expect(project.text('README.md')).toContain(`docket gate approve ${project.id} proof --choice=send-back`);
    for (const words of [
      ['task', 'show', project.id],
      ['task', 'list'],
    ])
      expect((await project.docket(...words)).out).not.toContain(String.raw`\n`);
    const listed = await project.docket('gate', 'list', project.id);
    expect(listed.out).toContain('--choice=accept --note "…"');
    expect(listed.out).toContain('send the work back to one');
    const { next } = await answerIn(project.root, ['explain', project.id]);
    expect(JSON.stringify(next)).toContain('--choice=accept');
  });

  it('is accepted with a reason, which the evidence and the summary name', async () => {
    const project = await unproved();
    const { id } = project;
    expect((await project.docket('gate', 'approve', id, 'proof')).code).toBe(2);
    expect((await project.docket('gate', 'approve', id, 'proof', '--note', 'I made it by hand.')).code).toBe(
      0,
    );
    const ended = await project.docket('task', 'resume', id);
    expect([ended.code, ended.out]).toEqual([0, expect.stringContaining('completed')]);
    expect(project.finals()).toEqual({ one: 'success', two: 'success' });
    expect(project.text('README.md')).toContain('2 completed');
    const joined = project.text('shared/reports/joined-summary.md');
    expect(joined).toMatch(/- proof: not proved \(accepted by \w+: I made it by hand\.\)/);
    const evidence = await answerIn(project.root, ['evidence', id]);
    expect(JSON.stringify(evidence)).toContain('I made it by hand.');
    expect(project.log('gate.approved')).toMatchObject([{ payload: { gateId: 'proof', choice: 'accept' } }]);
  });

  it('is sent back to its worker with a note', async () => {
    const project = await unproved();
    const { id } = project;
    await project.answer('proof', 'approved', { choice: 'send-back', note: 'Leave that file out.' });
    const told = fs.readFileSync(path.join(project.root, 'told.log'), 'utf8');
    expect(told).not.toContain('Leave that file out.');
    const ended = await project.docket('task', 'resume', id);
    expect(ended.code).toBe(5);
    expect(fs.readFileSync(path.join(project.root, 'told.log'), 'utf8')).toContain('Leave that file out.');
    expect(project.codex.visits('two')).toHaveLength(1);
    expect(project.list('task.yaml', 'gates')).toMatchObject([{ id: 'proof', state: 'blocked' }]);
  });

  it('goes back with what a person writes into the notes', async () => {
    const project = await unproved();
    project.edit('shared/human-notes.md', (text) => `${text}\nOnly say what you did.\n`);
    await project.resume();
    expect(fs.readFileSync(path.join(project.root, 'told.log'), 'utf8')).toContain('Only say what you did.');
    expect(project.log('gate.approved')[0]).toMatchObject({ payload: { choice: 'send-back' } });
  });

  it.each([
    ['approved', 0, 'completed', 'success'],
    ['rejected', 1, 'failed', 'failed'],
  ])('is %s in task.yaml', async (word, code, state, final) => {
    const project = await unproved();
    project.edit('task.yaml', (text) => text.replace('state: blocked', `state: ${word}`));
    expect((await project.docket('task', 'resume', project.id)).code).toBe(code);
    expect(project.data('task.yaml')['state']).toBe(state);
    expect(project.finals()['one']).toBe(final);
  });

  it('is true after a fix by hand, which the next check counts', async () => {
    const project = await unproved();
    fs.mkdirSync(path.join(project.root, 'src'), { recursive: true });
    project.write('src/never.ts', 'made by hand');
    expect((await project.docket('task', 'resume', project.id)).code).toBe(0);
    expect(project.data('task.yaml')['state']).toBe('completed');
    const evidence = await answerIn(project.root, ['evidence', project.id]);
    expect(JSON.stringify(evidence)).toContain('changed by people meanwhile: src/never.ts');
  });

  it('is rejected: the task fails, and only a retry by name takes it up again', async () => {
    const project = await unproved();
    const { id } = project;
    const no = await project.docket('gate', 'reject', id, '--note', 'Not this way.');
    expect(no.code).toBe(0);
    expect(project.data('task.yaml')['state']).toBe('failed');
    expect(await answerIn(project.root, ['needs-me'])).toMatchObject({ needs: [] });
    expect((await project.docket('task', 'retry', id)).code).toBe(4);
    expect((await project.docket('task', 'retry', id, 'one', '--note', 'Try it.')).code).toBe(5);
  });

  it('is asked again by a resume without an answer; a note alone chooses none', async () => {
    const project = await unproved();
    const resumed = await project.docket('task', 'resume', project.id);
    expect([resumed.code, resumed.out]).toEqual([5, expect.not.stringContaining(String.raw`\n`)]);
    expect((await project.docket('task', 'resume', project.id, '--note', 'fine')).code).toBe(4);
    expect(project.list('task.yaml', 'gates')).toMatchObject([{ id: 'proof', state: 'blocked' }]);
  });
});

it('asks about a command that fails for work of several workers', async () => {
  const project = await TaskProject.created();
  project.configure({ acceptance: ['test -f made.txt'] });
  const { task } = await project.run(actions(subtask('one'), subtask('two')));
  expect(task).toMatchObject({ status: 'blocked', run: { gates: { proof: { steps: ['one', 'two'] } } } });
  project.write('made.txt', 'made');
  const ended = await project.resume();
  expect(ended.task).toMatchObject({ status: 'done', run: { gates: { proof: { state: 'approved' } } } });
});
