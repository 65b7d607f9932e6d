import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boardLayout } from '../../../src/kinds/board/format/layout.ts';
import { rebuildWhole } from '../../../src/store/upkeep/rebuild-whole.ts';
import type { Event } from '../../../src/task/schema.ts';
import {
  act,
  boardDir,
  boardFile,
  create,
  listed,
  logOf,
  openBoard,
  shown,
  snapshotOf,
} from '../../support/board.ts';
import { scratch, treeOf } from '../../support/scratch.ts';

const far = '2999-01-01T00:00:00Z';
const lease = { kind: 'term' as const, until: far };
const text = (root: string): string => fs.readFileSync(logOf(root), 'utf8');

/** One task of every status, a removed one and a diagnosis. */
async function everyKind(root: string): Promise<void> {
  const board = await openBoard(root);
  const by = 'ann';
  const ids: string[] = [];
  for (let n = 0; n < 8; n += 1) ids.push(await create(board, `task ${n} 任务`));
  const [, claimed, running, review, done, blocked, failed, gone] = ids as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  await act(board, { type: 'claim', id: claimed, by, owner: 'bob', until: far });
  for (const id of [running, review, done]) await act(board, { type: 'start', id, by, owner: 'bob', lease });
  const token = async (id: string) => ((await board.get(id)) as { token: number }).token;
  await act(board, { type: 'submit', id: review, by, token: await token(review), summary: 'look' });
  await act(board, { type: 'settle', id: done, by, verdict: { kind: 'pass' }, summary: 'log: all well' });
  await act(board, { type: 'block', id: blocked, by, reason: { kind: 'gate', text: 'no key', who: 'ann' } });
  await act(board, { type: 'fail', id: failed, by, failure: { error: 'broke' } });
  await act(
    board,
    { type: 'cancel', id: gone, by, reason: 'no' },
    { type: 'remove', id: gone, by, reason: 'no' },
  );
  const spec = { body: '' };
  await act(board, { type: 'create', id: 'T-009', by, title: 'DIAG', spec, relatedTo: blocked });
  await board.close();
}

/** What a reader makes of a log that knows the format's five words and no other. */
function naive(log: string): Record<string, { status: string; owner?: string; detail?: string }> {
  const tasks: Record<string, { status: string; owner?: string; detail?: string }> = {};
  for (const line of log.trimEnd().split('\n')) {
    const { type, taskId, payload } = JSON.parse(line) as {
      type: string;
      taskId: string;
      payload: Record<string, string>;
    };
    if (type.endsWith('task_created')) tasks[taskId] = { status: 'pending' };
    const task = tasks[taskId];
    if (!task || !/^task_(claimed|done|blocked)$/.test(type)) continue;
    task.status = payload['to']!;
    if (payload['owner']) task.owner = payload['owner'];
    if (payload['result'] ?? payload['reason']) task.detail = (payload['result'] ?? payload['reason'])!;
  }
  return tasks;
}

describe('compaction of a board', () => {
  it('puts the log away whole and goes on with the same tasks, numbers and claims', async () => {
    const root = scratch();
    await everyKind(root);
    const [old, before] = [text(root), shown(root)];
    const board = await openBoard(root);
    const [tasks, seq] = [await board.list({ removed: true }), old.trimEnd().split('\n').length];
    await board.compact();
    expect(fs.readFileSync(boardFile(root, 'archive/000000000000.jsonl'), 'utf8')).toBe(old);
    const after = await board.list({ removed: true });
    const withoutRev = (all: typeof tasks) => all.map(({ rev: _, ...rest }) => rest);
    expect(withoutRev(after)).toEqual(withoutRev(tasks));
    expect(await create(board, 'next')).toBe('T-010');
    const [next] = (await board.list()).filter(({ id }) => id === 'T-010');
    expect(next?.rev).toBeGreaterThan(seq);
    await board.close();
    expect(shown(root)).toMatchObject(before);
    expect(listed(root)).toEqual(shown(root));
  });

  it('needs neither the archive nor what docket keeps beside the log', async () => {
    const root = scratch();
    await everyKind(root);
    const before = shown(root);
    const board = await openBoard(root);
    await board.compact();
    await board.close();
    for (const place of [boardDir(root), boardFile(root, 'archive')]) fs.rmSync(place, { recursive: true });
    expect(shown(root)).toEqual(before);
    const again = await openBoard(root);
    expect(await create(again, 'next')).toBe('T-010');
    await again.close();
    expect(listed(root)).toMatchObject(before);
  });

  it('leaves a log from which a reader of the five words knows where every task is', async () => {
    const root = scratch();
    await everyKind(root);
    const board = await openBoard(root);
    await board.compact();
    await board.close();
    expect(naive(text(root))).toEqual({
      'T-001': { status: 'pending' },
      'T-002': { status: 'claimed', owner: 'bob' },
      'T-003': { status: 'in_progress', owner: 'bob' },
      'T-004': { status: 'in_progress', owner: 'bob' },
      'T-005': { status: 'done', owner: 'bob', detail: 'log: all well' },
      'T-006': { status: 'blocked', detail: 'no key' },
      'T-007': { status: 'pending' },
      'T-009': { status: 'pending' },
    });
  });

  it('is seen by who has the board open, and by who follows it', async () => {
    const root = scratch();
    await everyKind(root);
    const [one, two] = [await openBoard(root), await openBoard(root)];
    await one.compact();
    await create(one, 'next');
    expect((await two.get('T-010'))?.title).toBe('next');
    await two.compact();
    expect(fs.readdirSync(boardFile(root, 'archive'))).toHaveLength(2);
    const stop = new AbortController();
    const seen: Event[] = [];
    for await (const event of two.tail({ after: 0, signal: stop.signal })) {
      seen.push(event);
      if (event.type === 'task.carried' && event.taskId === 'T-010') stop.abort();
    }
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  });
});

describe('rebuilding the snapshot', () => {
  const where = (root: string) => ({
    root,
    dir: boardDir(root),
    layout: boardLayout,
    clock: { now: () => Date.now() },
  });

  it('tells how it differs, changes nothing in a dry run, and makes all anew otherwise', async () => {
    const root = scratch();
    await everyKind(root);
    const right = fs.readFileSync(snapshotOf(root), 'utf8');
    const none = { missing: [], unknown: [], changed: [] };
    expect(await rebuildWhole(where(root), { dryRun: true })).toMatchObject({
      ...none,
      tasks: 8,
      written: false,
    });
    const file = JSON.parse(right) as { tasks: Record<string, { status: string }> };
    file.tasks['T-001']!.status = 'done';
    file.tasks['X'] = { status: 'pending' };
    delete file.tasks['T-002'];
    fs.writeFileSync(snapshotOf(root), JSON.stringify(file));
    const before = treeOf(root);
    const found = { missing: ['T-002'], unknown: ['X'], changed: ['T-001'] };
    expect(await rebuildWhole(where(root), { dryRun: true })).toMatchObject(found);
    expect(treeOf(root)).toEqual(before);
    expect(await rebuildWhole(where(root), { dryRun: false })).toMatchObject({ ...found, written: true });
    expect(fs.readFileSync(snapshotOf(root), 'utf8')).toBe(right);
  });

  it.each([
    ['missing', (file: string) => fs.rmSync(file)],
    ['unreadable', (file: string) => fs.truncateSync(file, 300)],
  ] as const)('says that it is %s', async (broken, damage) => {
    const root = scratch();
    await everyKind(root);
    damage(snapshotOf(root));
    expect(await rebuildWhole(where(root), { dryRun: true })).toMatchObject({
      broken,
      missing: expect.arrayContaining(['T-001']),
    });
  });
});
