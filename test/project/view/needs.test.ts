import { expect, it } from 'vitest';
import { wantsIn } from '../../../src/project/notify/wants.ts';
import { needsOfView } from '../../../src/project/view/needs.ts';
import { does, MixedWorkspace } from '../../support/mixed-workspace.ts';
import { add } from '../../support/scratch.ts';
import { inFolder } from '../../surfaces/cli/real-world.ts';

it('what needs a person is what people are told of', async () => {
  const workspace = new MixedWorkspace();
  await workspace.fill();
  await inFolder(workspace.root, ['say', 'block T-001: no access', '--as', 'coder']);
  await workspace.queue(async (store) => {
    for (const id of ['asks', 'waits', 'broken']) await add(store, id);
    const reason = { kind: 'scope', text: 'it changed more than it may', who: 'a person' } as const;
    await does(store, { type: 'block', id: 'asks', by: 'docket', reason });
    const limit = { kind: 'limit', text: 'too many', who: 'docket', provider: 'claude' } as const;
    await does(store, { type: 'block', id: 'waits', by: 'docket', reason: limit });
    await does(store, { type: 'fail', id: 'broken', by: 'docket', failure: { error: 'no' } });
  });
  const docket = await workspace.open();
  const { storeOf } = await import('../../../src/project/view/read-store.ts');
  const board = await storeOf('board', { root: workspace.root, clock: { now: () => Date.now() } });
  const told = [
    ...wantsIn('queue', (await docket.list({})).tasks, 0),
    ...wantsIn(
      'task',
      (await (await docket.tasks()).list()).tasks.map(({ task }) => task),
      0,
    ),
    ...wantsIn(
      'packet',
      (await (await docket.packets()).list()).packets.map(({ task }) => task),
      0,
    ),
    ...wantsIn('board', await board.read({}, (tasks) => tasks.list()), 0),
  ];
  const needs = needsOfView(await workspace.look());
  const keys = (of: readonly { key?: string }[]) => new Set(of.map(({ key }) => key));
  expect(keys(needs)).toEqual(keys(told));
  expect(needs.length).toBeGreaterThanOrEqual(3);
  for (const { why, key } of needs) expect(told.find((want) => want.key === key)?.text).toContain(why.text);
});
