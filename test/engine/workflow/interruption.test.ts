import { expect, it } from 'vitest';
import { ended } from '../../support/child.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

const over = 'agents/two/artifacts/final.json';
const work = actions(subtask('one', 'wait:go'), subtask('two'));

/** What is done stays done; what was at work goes on in its session. */
async function takenUp(project: TaskProject): Promise<void> {
  project.codex.cue('go');
  const { task } = await project.resume();
  expect(task.status).toBe('done');
  const [first, second] = project.codex.visits('one');
  expect(second).toMatchObject({ how: 'resume', from: first?.thread });
  expect(project.codex.visits('two')).toHaveLength(1);
}

it('puts the task back, and the next run takes it up', async () => {
  const project = await TaskProject.created();
  const stop = new AbortController();
  const run = project.run(work, { signal: stop.signal });
  await project.codex.started(2);
  await project.untilText(over, /success/);
  stop.abort('shutdown');
  expect(await run).toMatchObject({ interrupted: true, task: { status: 'queued' } });
  expect(project.leftovers()).toEqual([]);
  expect(project.text('shared/state-board.md')).not.toContain('status=running');
  await takenUp(project);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('on %s too, with its own exit code', async (signal) => {
  const project = await TaskProject.created();
  project.write('actions.json', work);
  const docket = project.start('task', 'run', project.id, '--actions', 'actions.json');
  await project.codex.started(2);
  await project.untilText(over, /success/);
  docket.kill(signal);
  expect(await ended(docket)).toMatchObject({ code: 130 });
  expect(project.leftovers()).toEqual([]);
  await takenUp(project);
});

it('a docket that was killed leaves its agent at work, and the next one waits for it', async () => {
  const project = await TaskProject.created();
  project.write('actions.json', work);
  const docket = project.start('task', 'run', project.id, '--actions', 'actions.json');
  await project.codex.started(2);
  await project.untilText(over, /success/);
  docket.kill('SIGKILL');
  await ended(docket);
  project.codex.cue('go');
  expect((await project.resume()).task.status).toBe('done');
  expect(project.codex.visits()).toHaveLength(2);
  expect(project.data('agents/one/artifacts/final.json')).toMatchObject({
    status: 'success',
    summary: 'Did one.',
  });
});

it('nobody else runs it at the same time', async () => {
  const project = await TaskProject.created();
  const run = project.run(work);
  await project.codex.started(1);
  await expect(project.resume()).rejects.toMatchObject({ code: 'REFUSED', exitCode: 4 });
  await expect(project.run(actions(subtask('six')))).rejects.toMatchObject({ exitCode: 4 });
  project.codex.cue('go');
  await run;
  expect(project.codex.visits()).toHaveLength(2);
});

it('what is finished is opened again by new actions', async () => {
  const project = await TaskProject.ran(subtask('one'), subtask('two', 'failed'));
  expect(project.data('task.yaml')['state']).toBe('failed');
  await expect(project.run(actions(subtask('one')))).rejects.toMatchObject({ code: 'INVALID' });
  await project.run(actions(subtask('three')));
  expect(project.data('task.yaml')['state']).toBe('completed');
  await project.run(actions(subtask('four', 'success', { needs: ['one'] })));
  expect(project.codex.visits()).toHaveLength(4);
  const workers = project.list('shared/reports/joined-summary.json', 'workers');
  expect(workers.map(({ agentInstance, status }) => `${String(agentInstance)} ${String(status)}`)).toEqual([
    'one success',
    'two failed',
    'three success',
    'four success',
  ]);
});
