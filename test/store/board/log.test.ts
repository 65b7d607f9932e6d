import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nextTaskId } from '../../../src/kinds/board/format/ids.ts';
import { Original } from '../../kinds/board/format/original.ts';
import { act, boardDir, create, listed, logOf, openBoard, shown, writeLog } from '../../support/board.ts';
import { scratch } from '../../support/scratch.ts';

const text = (root: string): string => fs.readFileSync(logOf(root), 'utf8');
const checkpoint = (root: string): string => `${boardDir(root)}/snapshot.jsonl`;
const far = '2999-01-01T00:00:00Z';

/** So many that an opening is felt, and the next one is spared it. */
async function manyTasks(root: string, count = 400): Promise<Original> {
  const original = new Original();
  for (let n = 0; n < count; n += 1) original.create('orchestrator', `task ${n}`);
  original.claim('coder', 'T-001');
  original.claim('coder', 'T-001');
  writeLog(root, original.text);
  await (await openBoard(root)).close();
  return original;
}

describe('the log of a board', () => {
  it('cuts off what a crash left of a line, keeps it aside, and goes on', async () => {
    const root = scratch();
    const board = await openBoard(root);
    await create(board, 'one');
    await board.close();
    const whole = text(root);
    fs.appendFileSync(logOf(root), '{"eventId": "5b", "taskId": "T-0');
    expect(Object.keys(shown(root))).toEqual(['T-001']);
    const warnings: string[] = [];
    const again = await openBoard(root, { warn: (warning) => warnings.push(warning) });
    expect(await create(again, 'two')).toBe('T-002');
    await again.close();
    expect(text(root).startsWith(whole)).toBe(true);
    expect(text(root).split('\n')).toHaveLength(3);
    expect(warnings).toEqual([expect.stringContaining('unfinished')]);
    expect(Object.keys(listed(root))).toEqual(['T-001', 'T-002']);
  });

  it('keeps a line of another hand that lacks nothing but its end', async () => {
    const root = scratch();
    const original = new Original();
    original.create('orchestrator', 'one');
    original.claim('coder', 'T-001');
    writeLog(root, original.text.trimEnd());
    const board = await openBoard(root);
    await create(board, 'two');
    await board.close();
    expect(text(root).startsWith(original.text)).toBe(true);
    expect(listed(root)['T-001']).toEqual(original.tasks['T-001']);
    expect(Object.keys(listed(root))).toEqual(['T-001', 'T-002']);
  });

  it('stops at a line of ours that somebody changed, and names it', async () => {
    const root = scratch();
    const board = await openBoard(root);
    await create(board, 'one');
    await create(board, 'two');
    await board.close();
    fs.writeFileSync(logOf(root), text(root).replace('"title":"one"', '"title":"won"'));
    expect(() => shown(root)).toThrow(/tasks\.jsonl:1: the line does not match its checksum/);
  });

  it('takes in what another tool appends while it is open', async () => {
    const root = scratch();
    const board = await openBoard(root);
    await create(board, 'one');
    const original = new Original();
    original.create('orchestrator', 'theirs', 'T-050');
    fs.appendFileSync(logOf(root), original.text);
    expect(await create(board, 'next')).toBe('T-051');
    expect(Object.keys(listed(root))).toEqual(['T-001', 'T-050', 'T-051']);
  });

  it('is opened from a checkpoint, with the same result, and none of the lines before it is read', async () => {
    const root = scratch();
    await manyTasks(root);
    const tasks = shown(root);
    expect(fs.existsSync(checkpoint(root))).toBe(true);
    fs.rmSync(checkpoint(root));
    expect(shown(root)).toEqual(tasks);
    const rebuilt = await openBoard(root);
    await create(rebuilt, 'more');
    await rebuilt.close();
    expect(fs.existsSync(checkpoint(root))).toBe(true);
    // Damage of the same length far before the last lines: only who reads from the start sees it.
    fs.writeFileSync(logOf(root), text(root).replace('"task 3"', '"task X"'));
    expect(shown(root)['T-004']?.title).toBe('task 3');
  });

  it.each([
    ['a line before it has another length', (log: string) => log.replace('"task 3"', '"task three"')],
    ['its last line is another', (log: string) => log.replace(/"task 399"/, '"task 999"')],
    ['the log is shorter', (log: string) => log.slice(0, log.indexOf('\n', 5000) + 1)],
  ])('is read from the start when %s', async (_, change) => {
    const root = scratch();
    await manyTasks(root);
    fs.writeFileSync(logOf(root), change(text(root)));
    const withCheckpoint = shown(root);
    fs.rmSync(checkpoint(root));
    expect(withCheckpoint).toEqual(shown(root));
    await (await openBoard(root)).close();
    expect(listed(root)).toEqual(withCheckpoint);
  });

  it('is lost, not new, when it is gone and a checkpoint is there', async () => {
    const root = scratch();
    await manyTasks(root);
    fs.rmSync(logOf(root));
    expect(() => shown(root)).toThrow(/is gone/);
    await expect(openBoard(root)).rejects.toThrow(/is gone/);
  });

  it('is lost, not new, also when it was too short for a checkpoint; one that was empty is made again', async () => {
    const root = scratch();
    await (await openBoard(root)).close();
    fs.rmSync(logOf(root));
    const board = await openBoard(root);
    await create(board, 'one');
    await board.close();
    fs.rmSync(logOf(root));
    await expect(openBoard(root)).rejects.toMatchObject({ code: 'BAD_JOURNAL' });
    expect(() => shown(root)).toThrow(/is gone/);
    expect(fs.existsSync(logOf(root))).toBe(false);
    fs.writeFileSync(logOf(root), '');
    await expect(openBoard(root)).rejects.toThrow(/is empty/);
    expect(() => shown(root)).toThrow(/is empty/);
  });

  it('remembers keys and claims over a checkpoint', async () => {
    const root = scratch();
    await manyTasks(root);
    const board = await openBoard(root);
    const data = { title: 'once', spec: { body: '' } };
    const tx = {
      events: [{ type: 'task.created' as const, taskId: 'K', by: 'ann', data }],
      expect: {},
      key: 'k-1',
    };
    expect((await board.transact(tx)).kind).toBe('committed');
    await act(board, { type: 'claim', id: 'K', by: 'ann', owner: 'ann', until: far });
    await board.close();
    const again = await openBoard(root);
    expect((await again.transact(tx)).kind).toBe('duplicate');
    expect(await again.get('K')).toMatchObject({ owner: 'ann', lease: { kind: 'term', until: far } });
  });
});

describe('automatic ids', () => {
  it.each([
    [[], 'T-001'],
    [['T-001', 'T-7x', 't-9', 'mine', 'T-'], 'T-002'],
    [['T-999'], 'T-1000'],
    [['T-0012', 'T-9'], 'T-013'],
    [['T-99999999999999999999'], 'T-001'],
    [['T-999999999999999', 'T-001'], 'T-002'],
  ])('after %j comes %s', (ids, next) => {
    expect(nextTaskId(ids)).toBe(next);
  });

  it('of a removed task are not given out again', async () => {
    const root = scratch();
    const board = await openBoard(root);
    const id = await create(board, 'one');
    await act(
      board,
      { type: 'cancel', id, by: 'ann', reason: 'no' },
      { type: 'remove', id, by: 'ann', reason: 'no' },
    );
    expect(await create(board, 'two')).toBe('T-002');
  });
});
