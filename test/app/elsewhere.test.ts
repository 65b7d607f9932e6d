import { expect, it } from 'vitest';
import { scratch } from '../support/scratch.ts';
import { answerIn, inFolder } from '../surface/cli/real-world.ts';

it('what is done to the queue by name knows a task of another layout, and says how it is done there', async () => {
  const root = scratch();
  await inFolder(root, ['say', 'create task: build']);
  const { id } = (await answerIn(root, ['task', 'create', '--title', 'Ship it', '--topology', 'swarm'])) as {
    id: string;
  };
  const asked = async (...words: string[]) => {
    const { code, stdout } = await inFolder(root, [...words, '--json']);
    const { error } = JSON.parse(stdout) as { error: { message: string; fix: string } };
    return [code, error.message, error.fix];
  };
  const board = 'T-001 is a task of the board, not a task of the queue';
  expect(await asked('cancel', 'T-001')).toEqual([4, board, 'docket say "cancel T-001"']);
  expect(await asked('retry', 'T-001')).toEqual([4, board, 'docket say "reopen T-001"']);
  const directory = `${id} is a task directory, not a task of the queue`;
  expect(await asked('retry', id)).toEqual([4, directory, `docket task retry ${id}`]);
  for (const deed of ['requeue', 'delete', 'diff', 'merge'])
    expect((await asked(deed, id)).slice(0, 2)).toEqual([4, directory]);
  expect((await asked('cancel', 'nobody'))[0]).toBe(3);
});

it('there is evidence to ask for in every layout, also before there is any', async () => {
  const root = scratch();
  await inFolder(root, ['say', 'create task: build']);
  expect(await answerIn(root, ['evidence', 'T-001'])).toMatchObject({ layout: 'board', entries: [] });
  expect(await answerIn(root, ['evidence', 'T-001', '--of', 'board'])).toMatchObject({ id: 'T-001' });
  expect(await inFolder(root, ['evidence', 'T-009'])).toMatchObject({ code: 3 });
});
