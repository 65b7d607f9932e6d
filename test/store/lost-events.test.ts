import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { boardLayout } from '../../src/kinds/board/format/layout.ts';
import { agentmeshLayout } from '../../src/kinds/directory/format/layout.ts';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { validate } from '../../src/project/docket.ts';
import { execute } from '../../src/store/execute.ts';
import type { FileStore } from '../../src/store/store.ts';
import { repairStore } from '../../src/store/upkeep/repair.ts';
import {
  board,
  boardDir,
  create,
  logOf,
  openBoard,
  openLayout,
  refused,
  workedQueue,
} from '../support/lost-log.ts';
import { happened } from '../support/queue-history.ts';
import {
  add,
  journalOf,
  lookAt,
  openStore,
  readNow,
  scratch,
  statuses,
  storeDir,
  storeFile,
} from '../support/scratch.ts';

const clock = { now: () => Date.now() };
const now = () => new Date().toISOString();

describe('a journal that ends before what docket acknowledged', () => {
  const cuts: [string, (bytes: Buffer, old: Buffer) => Buffer][] = [
    ['an older copy', (_, old) => old],
    ['cut at a line', (bytes) => bytes.subarray(0, bytes.lastIndexOf(10, -2) + 1)],
    ['cut in the middle of a line', (bytes) => bytes.subarray(0, bytes.length - 20)],
  ];
  test.each(cuts)('%s: is refused for reading and for writing, and nothing is changed', async (_, cut) => {
    const { root, old } = await workedQueue();
    const bytes = cut(fs.readFileSync(journalOf(root)), old);
    fs.writeFileSync(journalOf(root), bytes);
    const expected = {
      code: 'BAD_JOURNAL',
      message: expect.stringMatching(/journal\.jsonl: \d of 7 events are missing at its end/),
      fix: expect.stringContaining('docket repair queue'),
    };
    expect(refused(() => lookAt(root))).toMatchObject(expected);
    await expect(openStore(root)).rejects.toMatchObject(expected);
    expect(fs.readFileSync(journalOf(root)).equals(bytes)).toBe(true);
  });

  test('one that is gone is an error for those who check, too', async () => {
    const { root } = await workedQueue();
    expect(await validate(root, {})).toEqual([]);
    fs.rmSync(journalOf(root));
    expect(await validate(root, {})).toEqual([
      expect.objectContaining({ severity: 'error', fix: expect.stringContaining('docket repair queue') }),
    ]);
    fs.rmSync(storeDir(root), { recursive: true });
    expect(await validate(root, {})).toEqual([]);
  });

  test('the repair keeps what the file says: done work is not run again', async () => {
    const { root, old } = await workedQueue();
    fs.writeFileSync(journalOf(root), old);
    const options = { root, dir: storeDir(root), layout: queueLayout, clock, warn: () => undefined };
    const plan = await repairStore({ ...options, apply: false });
    expect(plan).toMatchObject({ needed: true, missing: 4, applied: false, byHand: ['a', 'b'] });
    expect(fs.readFileSync(journalOf(root)).equals(old)).toBe(true);
    expect(await repairStore({ ...options, apply: true })).toMatchObject({ applied: true });
    const { tasks } = lookAt(root);
    expect(statuses(tasks)).toEqual({ a: 'done', b: 'done', c: 'queued' });
    expect(tasks.filter((task) => 'unproved' in task).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(await repairStore({ ...options, apply: false })).toMatchObject({ needed: false });
  });

  test('a line that was taken out of the middle: the others are kept', async () => {
    const { root } = await workedQueue();
    const lines = fs.readFileSync(journalOf(root), 'utf8').split('\n');
    fs.writeFileSync(journalOf(root), lines.toSpliced(2, 1).join('\n'));
    const options = { root, dir: storeDir(root), layout: queueLayout, clock, warn: () => undefined };
    const plan = await repairStore({ ...options, apply: true });
    expect(plan?.copies.some((copy) => copy.endsWith('journal.jsonl'))).toBe(true);
    expect(
      lookAt(root)
        .tasks.map(({ status }) => status)
        .toSorted(),
    ).toEqual(['done', 'done', 'queued']);
    const store = await openStore(root);
    await add(store, 'after');
  });

  test('a copy of the project elsewhere, and one without a mark, are read and written', async () => {
    const { root, old } = await workedQueue();
    const copy = scratch();
    fs.cpSync(root, copy, { recursive: true });
    fs.writeFileSync(journalOf(copy), old); // as if it was copied while docket was writing
    expect(lookAt(copy).tasks).toHaveLength(3);
    const store = await openStore(copy);
    await add(store, 'more');
    fs.rmSync(storeFile(root, 'mark.json'));
    expect(statuses(lookAt(root).tasks)).toMatchObject({ a: 'done' });
  });

  test('compaction leaves nothing to complain about', async () => {
    const { root } = await workedQueue();
    const store = await openStore(root);
    const mark = fs.readFileSync(storeFile(root, 'mark.json'));
    await store.compact();
    await add(store, 'more');
    await store.close();
    fs.writeFileSync(storeFile(root, 'mark.json'), mark); // a mark that stayed behind
    expect(lookAt(root).tasks).toHaveLength(4);
  });

  test('zero bytes among what was acknowledged are damage, not an unfinished write', async () => {
    const { root } = await workedQueue();
    const bytes = fs.readFileSync(journalOf(root));
    const start = bytes.lastIndexOf(10, -2) + 1;
    fs.writeFileSync(journalOf(root), bytes.fill(0, start, start + 5));
    await expect(openStore(root)).rejects.toMatchObject({ code: 'BAD_JOURNAL' });
    expect(fs.readFileSync(journalOf(root)).equals(bytes)).toBe(true);
  });
});

describe('the log of a board', () => {
  const damages: [string, (lines: string[]) => string[]][] = [
    ['a line dropped in the middle', (lines) => lines.toSpliced(1, 1)],
    ['two lines swapped', ([a = '', b = '', ...rest]) => [b, a, ...rest]],
    ['half of it', (lines) => lines.slice(0, 2)],
    ['something else, with an end of line', () => ['\0garbage']],
  ];
  test.each(damages)('%s: is refused, and no id is given twice', async (_, damage) => {
    const root = await board();
    const lines = fs.readFileSync(logOf(root), 'utf8').trimEnd().split('\n');
    fs.writeFileSync(logOf(root), `${damage(lines).join('\n')}\n`);
    await expect(openBoard(root)).rejects.toMatchObject({ code: 'BAD_JOURNAL' });
    const options = { root, dir: boardDir(root), layout: boardLayout, clock, warn: () => undefined };
    expect(await repairStore({ ...options, apply: true })).toMatchObject({ applied: true });
    const { tasks } = readNow({ ...options });
    expect(tasks.map(({ id }) => id)).toEqual(['T-001', 'T-002', 'T-003', 'T-004']);
  });

  test('that was compacted, and lost something before the next command, is refused', async () => {
    const root = await board();
    const store = await openBoard(root);
    await store.compact();
    await store.close();
    const lines = fs.readFileSync(logOf(root), 'utf8').trimEnd().split('\n');
    fs.writeFileSync(logOf(root), `${lines.slice(0, 2).join('\n')}\n`);
    await expect(openBoard(root)).rejects.toMatchObject({ code: 'BAD_JOURNAL' });
    const options = { root, dir: boardDir(root), layout: boardLayout, clock, warn: () => undefined };
    expect(await repairStore({ ...options, apply: true })).toMatchObject({ applied: true });
    expect(readNow(options).tasks.map(({ id }) => id)).toEqual(['T-001', 'T-002', 'T-003', 'T-004']);
    expect(await repairStore({ ...options, apply: true })).toMatchObject({ needed: false });
  });

  test('lines of other tools between ours are legal', async () => {
    const root = await board();
    const line = { eventId: 'x', taskId: 'T-009', type: 'task_created', messageType: '[TASK]', actor: 'bob' };
    fs.appendFileSync(
      logOf(root),
      `${JSON.stringify({ ...line, at: now(), payload: { title: 'theirs' } })}\n`,
    );
    const store = await openBoard(root);
    await create(store, 'T-010');
    await store.close();
    const lines = fs.readFileSync(logOf(root), 'utf8').trimEnd().split('\n');
    fs.writeFileSync(logOf(root), `${lines.join('\n')}\n`);
    const again = await openBoard(root);
    expect((await again.list()).map(({ id }) => id)).toContain('T-009');
    await again.close();
  });
});

describe('lines of a task directory that are no events', () => {
  const dirOf = (root: string): string => path.join(root, '.agentmesh', 'tasks', 't1');
  const ownOf = (root: string): string => path.join(root, '.docket', 'agentmesh', 't1');
  const eventsOf = (root: string): string => path.join(dirOf(root), 'events.jsonl');
  const open = (root: string): Promise<FileStore> => openLayout(dirOf(root), ownOf(root), agentmeshLayout);

  test.each(['', '# a comment', '{"hello":1}', '{"ts":"2026'])('%j: the task goes on', async (text) => {
    const root = scratch();
    fs.mkdirSync(dirOf(root), { recursive: true });
    const store = await open(root);
    await create(store, 't1');
    fs.appendFileSync(eventsOf(root), `${text}\n`);
    const [claim] = await store.claim({ owner: 'me', max: 1 }); // while it is open
    expect(claim?.task.id).toBe('t1');
    expect(await store.doctor()).toEqual([
      expect.objectContaining({
        severity: 'warning',
        line: 2,
        fix: expect.stringContaining('docket repair t1'),
      }),
    ]);
    await happened(store, claim!, { type: 'fail', failure: { error: 'no' } });
    await claim?.release();
    await store.close();
    const where = { root: dirOf(root), dir: ownOf(root), layout: agentmeshLayout, clock };
    const before = readNow(where);
    expect(before.tasks).toMatchObject([{ id: 't1', status: 'failed' }]);
    expect(before.findings).toHaveLength(1);
    const plan = await repairStore({ ...where, warn: () => undefined, apply: true });
    expect(plan).toMatchObject({ applied: true, dropped: [{ line: 2, text }] });
    expect(readNow(where)).toMatchObject({ tasks: [{ status: 'failed' }], findings: [] });
    expect(plan?.copies.map((copy) => path.dirname(copy))).toContain(ownOf(root));
  });

  test('one of docket’s own that is missing is an error', async () => {
    const root = scratch();
    fs.mkdirSync(dirOf(root), { recursive: true });
    const store = await open(root);
    await create(store, 't1');
    for (const title of ['one', 'two'])
      await execute(store, { type: 'edit', id: 't1', by: 'ann', set: { title } }, { now: now() });
    await store.close();
    const lines = fs.readFileSync(eventsOf(root), 'utf8').trimEnd().split('\n');
    fs.writeFileSync(eventsOf(root), `${lines.toSpliced(1, 1, '').join('\n')}\n`);
    await expect(open(root)).rejects.toMatchObject({ code: 'BAD_JOURNAL' });
  });
});
