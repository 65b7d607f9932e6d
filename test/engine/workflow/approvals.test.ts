import { expect, it } from 'vitest';
import { ended } from '../../support/child.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

const asking = (act = 'ask') => subtask('one', act, { adapter: 'codex-app-server' });
const summary = (project: TaskProject) => project.data('agents/one/artifacts/final.json')['summary'];
const isAlive = (pid: number) => process.kill(pid, 0);

it.each([
  ['approved', {}, 'accept'],
  ['approved', { choice: 'acceptForSession' }, 'acceptForSession'],
  ['rejected', { note: 'no' }, 'decline'],
] as const)(
  'an agent waits in its turn until somebody elsewhere has %s %j',
  async (decision, more, heard) => {
    const project = await TaskProject.created();
    const run = project.run(actions(asking(), subtask('two')));
    await project.untilGate('gate-one');
    const [gate] = await project.gates();
    expect(gate).toMatchObject({
      gate: 'gate-one',
      state: 'blocked',
      reason: 'command: rm -rf build',
      step: 'one',
    });
    await project.untilText('task.yaml', /^state: input-required$/m);
    const [visit] = project.codex.visits('one');
    expect(isAlive(visit?.pid ?? 0)).toBe(true);
    await project.answer('gate-one', decision, more);
    expect((await run).task.status).toBe('done');
    expect(summary(project)).toBe(`Did one: ${heard}.`);
    expect(project.codex.visits('one')).toHaveLength(1);
  },
);

it('notes are no answer where an agent waits for a choice', async () => {
  const project = await TaskProject.created();
  const run = project.run(actions(asking()));
  await project.untilGate('gate-one');
  project.edit('shared/human-notes.md', (text) => `${text}- Yes, do.\n`);
  await expect(project.resume()).rejects.toMatchObject({ code: 'REFUSED' }); // it is being worked on
  expect(await project.gates()).toMatchObject([{ state: 'blocked' }]);
  await project.answer('gate-one', 'approved');
  expect((await run).task.status).toBe('done');
});

it('autoApprove grants what is asked, without a gate', async () => {
  const project = await TaskProject.created();
  project.edit('task.yaml', (text) => text.replace('autoApprove: false', 'autoApprove: true'));
  await project.run(actions(asking()));
  expect(summary(project)).toBe('Did one: accept.');
  expect(project.log('gate.blocked')).toEqual([]);
});

it('a question dies with the agent that asked it, and an answer to it is refused', async () => {
  const project = await TaskProject.created();
  const stop = new AbortController();
  const run = project.run(actions(asking('ask:stubborn')), { signal: stop.signal });
  await project.untilGate('gate-one');
  stop.abort('shutdown');
  expect(await run).toMatchObject({ interrupted: true, task: { status: 'queued' } });
  expect(project.text('agents/one/runtime/events.jsonl')).not.toContain('Did one'); // a stop is nobody's no
  expect(project.leftovers()).toEqual([]);
  await expect(project.answer('gate-one', 'approved')).rejects.toMatchObject({ exitCode: 4 });
  const again = project.resume();
  await project.untilGate('gate-one', 2);
  await expect(project.answer('gate-one', 'approved', { times: 1 })).rejects.toMatchObject({ exitCode: 4 });
  await project.answer('gate-one', 'approved', { times: 2 });
  expect((await again).task.status).toBe('done');
  expect(project.codex.visits('one').map(({ how }) => how)).toEqual(['new', 'resume']);
});

it('and with the docket that was to answer it', async () => {
  const project = await TaskProject.created();
  project.write('actions.json', actions(asking()));
  const docket = project.start('task', 'run', project.id, '--actions', 'actions.json');
  await project.untilGate('gate-one');
  docket.kill('SIGKILL');
  await ended(docket);
  const again = project.resume();
  await project.untilGate('gate-one', 2);
  await project.answer('gate-one', 'approved');
  expect((await again).task.status).toBe('done');
  expect(project.codex.visits('one').map(({ how }) => how)).toEqual(['new', 'resume']);
  expect(project.leftovers()).toEqual([]);
});
