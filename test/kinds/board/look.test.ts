import fs from 'node:fs';
import { expect, it } from 'vitest';
import { lookAtBoard } from '../../../src/kinds/board/look.ts';
import { act, boardDir, create, openBoard, shown, writeLog } from '../../support/board.ts';
import { scratch, treeOf } from '../../support/scratch.ts';
import { Original } from './format/original.ts';

const clock = { now: () => Date.now() };
const ids = (tasks: readonly { taskId: string }[]): string[] => tasks.map(({ taskId }) => taskId);

it('sees nothing where there is no board, and makes none', async () => {
  const root = scratch();
  const look = await lookAtBoard({ root, clock });
  expect([look.all(), look.summary(3)]).toEqual([[], { counts: {}, blocked: [], open: [] }]);
  expect(fs.readdirSync(root)).toEqual([]);
});

it('says how a board stands, from a log or from a checkpoint, and writes nothing', async () => {
  const root = scratch();
  const original = new Original();
  for (let n = 1; n <= 300; n += 1) original.create('orchestrator', `task ${n}`);
  for (const id of ['T-007', 'T-008', 'T-009', 'T-010']) original.block('coder', id, `no ${id}`);
  original.claim('coder', 'T-001');
  original.claim('coder', 'T-002');
  original.claim('coder', 'T-002');
  original.done('coder', 'T-002');
  writeLog(root, original.text);
  const check = async (counts: Record<string, number>): Promise<void> => {
    const before = treeOf(root);
    const look = await lookAtBoard({ root, clock });
    const { blocked, open, ...rest } = look.summary(3);
    expect(rest.counts).toEqual(counts);
    expect(ids(blocked)).toEqual(['T-010', 'T-009', 'T-008']);
    expect(ids(open)[0]).toBe('T-001');
    expect(Object.fromEntries(look.all().map((task) => [task.taskId, task]))).toEqual(shown(root));
    expect([look.has('T-001'), look.has('T-999'), look.get('T-002')?.status]).toEqual([true, false, 'done']);
    expect(treeOf(root)).toEqual(before);
  };
  const counts = { pending: 294, claimed: 1, done: 1, blocked: 4 };
  await check(counts);
  const board = await openBoard(root);
  const id = await create(board, 'gone');
  await act(
    board,
    { type: 'cancel', id, by: 'ann', reason: 'no' },
    { type: 'remove', id, by: 'ann', reason: 'no' },
  );
  await board.close();
  expect(fs.existsSync(`${boardDir(root)}/snapshot.jsonl`)).toBe(true);
  await check(counts);
});
