import { expect, it } from 'vitest';
import { scratch } from '../../support/scratch.ts';
import { inFolder } from '../../surfaces/cli/real-world.ts';

it('T-1 is T-001 wherever a task of the board is named', async () => {
  const root = scratch();
  const line = async (...argv: string[]) => {
    const { code, stdout, stderr } = await inFolder(root, argv);
    return [code, `${stdout}${stderr}`];
  };
  await line('say', 'create task: mend the login');
  expect(await line('board', 'status', 'T-1')).toEqual([0, expect.stringContaining('T-001')]);
  expect(await line('show', 'T-1')).toEqual([0, expect.stringContaining('id: T-001')]);
  expect(await line('add', '--from', 'T-1')).toEqual([0, expect.stringContaining('queued')]);
  expect(await line('board', 'status', 'T-1')).toEqual([0, expect.stringContaining('owner: docket')]);
  expect(await line('cancel', 'T-1')).toEqual([0, 'T-001 is canceled (was queued)\n']);
  expect(await line('board', 'status', 'T-2')).toEqual([3, expect.stringContaining('there is no task T-2')]);
});
