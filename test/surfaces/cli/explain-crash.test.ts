import { expect, it } from 'vitest';
import { QueueProject } from '../../support/queue-project.ts';

it('status and explain say the same of a task whose docket died', { timeout: 60_000 }, async () => {
  const project = new QueueProject('say begun\nsleep 300');
  await project.docket('add', 'one please', '--name', 'one', '--worktree');
  await project.killedWhen('begun');
  project.endAgentsOf(await project.idOf('one'));
  const why = 'sh was at work when its docket process died; nothing runs it now';
  expect((await project.docket('status')).out).toContain(`Stuck (1)\n`);
  expect((await project.docket('status')).out).toContain(why);
  const { out } = await project.docket('explain', 'one');
  expect(out).toContain(`why: ${why}\nwhose turn: a person\n`);
  expect(out).toMatch(/^next:\n {2}docket run /m);
});
