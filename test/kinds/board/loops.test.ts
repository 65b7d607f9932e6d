import { expect, it } from 'vitest';
import { BoardProject, report } from '../../support/board-project.ts';

const spawn = { mode: 'spawn' } as const;

it('a task that comes back from its workers in the same way three times is a loop, until a person unblocks it', async () => {
  const at = new BoardProject(report({ status: 'blocked', summary: 'there is no key to the door' }));
  await at.say('create task: build');
  const ran = async () => {
    await at.hear('run T-001', spawn);
    return (await at.task('T-001'))?.blockedReason ?? '';
  };
  expect(await ran()).toMatch(/^there is no key/);
  expect(await ran()).toMatch(/^there is no key/);
  const text = await ran();
  expect(text).toMatch(/ended 3 times, and nothing changed/);
  expect(text).toContain('The last time: there is no key to the door');
  expect(text).toContain('docket say "unblock T-001"');
  await at.say('unblock T-001', 'ann');
  expect(await ran()).toMatch(/^there is no key/);
});

it('one that comes back with something else each time is not', async () => {
  const at = new BoardProject(
    report({ status: 'blocked', summary: 'no key WHICH' }).replace('WHICH', `'"$DOCKET_STEP"'`),
  );
  await at.say('create task: build');
  for (const _ of [1, 2, 3, 4]) await at.hear('run T-001', spawn);
  expect((await at.task('T-001'))?.blockedReason).toBe('no key work-4');
});
