import { expect, it } from 'vitest';
import { BoardProject, report } from '../support/board-project.ts';
import { PacketProject, polite } from '../support/packet-project.ts';
import { subtask, TaskProject } from '../support/task-project.ts';
import { answerIn, inFolder } from '../surfaces/cli/real-world.ts';

it('docket retry opens what failed in a task directory, and docket run --all does it again', async () => {
  const project = await TaskProject.ran(subtask('one', 'failed'), subtask('two'));
  const { root, id } = project;
  const line = ['retry', id, '--note', 'Try port 8080'];
  expect(await inFolder(root, [...line, '--dry-run'])).toMatchObject({
    code: 0,
    stdout: `${id} would be queued (was failed)\n`,
  });
  expect(project.data('task.yaml')['state']).toBe('failed');
  expect(await inFolder(root, line)).toMatchObject({ code: 0, stdout: `${id} is queued (was failed)\n` });
  expect(await answerIn(root, ['show', id])).toMatchObject({ status: 'queued' });
  // Once more changes nothing.
  expect(await inFolder(root, ['retry', id])).toMatchObject({ stdout: `${id} is queued already\n` });
  await project.docket('run', '--all');
  expect(project.codex.visits('one')).toHaveLength(2);
  expect(project.codex.visits('two')).toHaveLength(1);
  expect(await inFolder(root, ['cancel', id, id.slice(0, 12)])).toMatchObject({
    code: 0,
    stdout: `${id} is canceled (was failed)\n`,
  });
});

it('docket retry puts a failed packet back, and docket run --all continues at its failed stage', async () => {
  const project = await PacketProject.with('safe_impl', { codex_impl: [{ say: 'I could not.' }, polite] });
  expect((await project.run()).status).toBe('failed');
  expect(await inFolder(project.root, ['retry', 'p-1', '--note', 'x'])).toMatchObject({ code: 2 });
  expect(await inFolder(project.root, ['retry', 'packet:p-1'])).toMatchObject({
    code: 0,
    stdout: 'p-1 is queued (was failed)\n',
  });
  expect(await project.docket('run', '--all')).toMatchObject({ code: 0 });
  expect(await project.states()).toMatchObject({ codex_impl: 'done' });
});

it('docket retry lets a blocked task of the board go on, and trust and cancel find it too', async () => {
  const at = new BoardProject(report({ status: 'blocked', summary: 'no key' }));
  await at.say('create task: build');
  await at.hear('run T-001', { mode: 'spawn' });
  expect(await inFolder(at.root, ['retry', 'T-1', '--note', 'The key is there now'])).toMatchObject({
    code: 0,
    stdout: 'T-001 is queued (was blocked)\n',
  });
  expect(await answerIn(at.root, ['show', 'T-1'])).toMatchObject({ status: 'queued' });
  expect(await inFolder(at.root, ['trust', 'T-1', 'low'])).toMatchObject({ code: 0 });
  expect(await answerIn(at.root, ['trust', 'T-1'])).toMatchObject({ trust: { level: 'low' } });
  expect(await inFolder(at.root, ['cancel', 'T-1'])).toMatchObject({ code: 0 });
});

it('a deleted task is named as such, and hides no living one of another kind', async () => {
  const project = await PacketProject.with('review_only');
  const { root } = project;
  await inFolder(root, ['add', 'Fix it', '--name', 'p-1']);
  await inFolder(root, ['add', 'Fix it', '--name', 'login']);
  expect(await inFolder(root, ['delete', 'queue:p-1', 'login'])).toMatchObject({ code: 0 });
  expect(await answerIn(root, ['show', 'p-1'])).toMatchObject({ kind: 'packet' });
  const refused = await inFolder(root, ['retry', 'login']);
  expect(refused).toMatchObject({ code: 4 });
  expect(refused.stderr).toContain('docket restore login');
  expect(await inFolder(root, ['restore', 'p-1'])).toMatchObject({ code: 0 });
});
