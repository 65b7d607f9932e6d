import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { treeOf } from '../../support/scratch.ts';
import { actions, subtask, TaskProject } from '../../support/task-project.ts';

async function withParent(): Promise<{
  project: TaskProject;
  fork: { mode: 'fork'; forkedFromThreadId: string };
  home: string;
}> {
  const project = await TaskProject.ran(subtask('parent'));
  const { thread, home } = project.codex.visits('parent')[0]!;
  return { project, home, fork: { mode: 'fork', forkedFromThreadId: thread } };
}

const session = (project: TaskProject, name: string) =>
  project.data(`agents/${name}/session.json`)['vendorSession'];

it.each(['codex-exec', 'codex-app-server'])("works in the parent's home, on %s", async (adapter) => {
  const { project, fork, home } = await withParent();
  await project.run(actions(subtask('kid', 'success', { ...fork, adapter })));
  expect(project.finals()).toEqual({ parent: 'success', kid: 'success' });
  expect(project.codex.visits('parent')).toMatchObject([
    { how: 'new' },
    { how: 'fork', from: fork.forkedFromThreadId, home },
  ]);
  expect(session(project, 'kid')).toMatchObject({
    codexHome: '../parent/codex_home',
    forkedFromThreadId: fork.forkedFromThreadId,
  });
});

it('keeps whose fork it is through a block, a resume and a fork of the fork', async () => {
  const { project, fork, home } = await withParent();
  await project.run(actions(subtask('kid', 'stuck', fork)));
  await project.answer('gate-kid', 'rejected');
  await project.resume();
  const kid = session(project, 'kid') as { threadId: string };
  expect(kid).toMatchObject({ forkedFromThreadId: fork.forkedFromThreadId });
  await project.run(
    actions(subtask('grandkid', 'success', { mode: 'fork', forkedFromThreadId: kid.threadId })),
  );
  expect(session(project, 'grandkid')).toMatchObject({
    forkedFromThreadId: kid.threadId,
    codexHome: '../parent/codex_home',
  });
  expect(new Set(project.codex.visits().map((visit) => visit.home))).toEqual(new Set([home]));
});

it('a parent that nobody knows is the failure of the fork, and of nothing else', async () => {
  const project = await TaskProject.ran(
    subtask('kid', 'success', { mode: 'fork', forkedFromThreadId: randomUUID() }),
    subtask('two'),
  );
  expect(project.finals()).toEqual({ kid: 'failed', two: 'success' });
  expect(project.text('agents/kid/artifacts/final.json')).toContain('no rollout found');
});

it('is refused where the agent cannot, before anything happens', async () => {
  const { project, fork } = await withParent();
  const before = treeOf(project.root);
  const document = actions(subtask('kid', 'success', { ...fork, adapter: 'shell' }));
  await expect(project.run(document)).rejects.toMatchObject({
    code: 'REFUSED',
    exitCode: 4,
    fix: expect.stringContaining('--emulate-fork'),
  });
  expect(treeOf(project.root)).toEqual(before);
});

it("with --emulate-fork gets the parent's words instead", async () => {
  const { project, fork } = await withParent();
  const document = actions(subtask('kid', 'success', { ...fork, adapter: 'shell' }));
  const { task } = await project.run(document, { emulateFork: true });
  expect(task.status).toBe('done');
  expect(project.text('agents/kid/runtime/prompt')).toMatch(
    /# Your task: parent[^]*thread\.started[^]*Did parent\./,
  );
  expect(session(project, 'kid')).toMatchObject({ forkedFromThreadId: fork.forkedFromThreadId });
});
