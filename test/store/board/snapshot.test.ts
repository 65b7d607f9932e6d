import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boardLayout, snapshot } from '../../../src/kinds/board/format/layout.ts';
import type { FileStore } from '../../../src/store/store.ts';
import type { Task } from '../../../src/task/schema.ts';
import { ascii, Original } from '../../kinds/board/format/original.ts';
import {
  act,
  boardDir,
  create,
  listed,
  logOf,
  openBoard,
  shown,
  snapshotOf,
  writeLog,
} from '../../support/board.ts';
import { scratch, treeOf } from '../../support/scratch.ts';

const read = (root: string): string => fs.readFileSync(snapshotOf(root), 'utf8');
const far = '2999-01-01T00:00:00Z';
const claim = (board: FileStore, id: string, owner: string) =>
  act(board, { type: 'claim', id, by: owner, owner, until: far });

async function someTasks(root: string): Promise<void> {
  const board = await openBoard(root);
  for (const title of ['one', '二 “zwei”\u2028', 'three']) await create(board, title);
  await claim(board, 'T-002', 'bob');
  await board.close();
}

/** The file as the format's other tools write it. */
function expected(root: string): string {
  const { meta } = JSON.parse(read(root)) as { meta: object };
  return `${ascii(JSON.stringify({ tasks: shown(root), meta }, undefined, 2))}\n`;
}

describe('the snapshot of a board', () => {
  it('is there from the beginning, in the bytes of the format', async () => {
    const root = scratch();
    await (await openBoard(root)).close();
    const { meta } = JSON.parse(read(root)) as { meta: { updatedAt: string } };
    expect(read(root)).toBe(
      `{\n  "tasks": {},\n  "meta": {\n    "version": 2,\n    "updatedAt": "${meta.updatedAt}"\n  }\n}\n`,
    );
    expect(Date.parse(meta.updatedAt)).toBeGreaterThan(Date.parse('2026-01-01T00:00:00Z'));
    await someTasks(root);
    expect(read(root)).toBe(expected(root));
    expect(Object.keys(listed(root))).toEqual(['T-001', 'T-002', 'T-003']);
    expect(listed(root)['T-002']).toMatchObject({
      status: 'claimed',
      owner: 'bob',
      title: '二 “zwei”\u2028',
    });
    expect(/^[\n -~]*$/.test(fs.readFileSync(logOf(root), 'utf8') + read(root))).toBe(true);
  });

  it('is the same whether it grew change by change or was made at once', async () => {
    const root = scratch();
    const board = await openBoard(root);
    for (let n = 1; n <= 30; n += 1) {
      const id = await create(board, `task ${n} ${'é'.repeat(n % 7)}`);
      if (n % 3 === 0) await claim(board, id, 'bob');
      if (n % 4 === 0)
        await act(board, { type: 'cancel', id: `T-00${n % 9 || 1}`, by: 'ann', reason: 'no' }).catch(() => 0);
      expect(read(root)).toBe(expected(root));
    }
    await act(board, { type: 'remove', id: 'T-004', by: 'ann', reason: 'gone' });
    expect(Object.keys(listed(root))).not.toContain('T-004');
    await act(board, { type: 'restore', id: 'T-004', by: 'ann', reason: 'back' });
    expect(Object.keys(listed(root)).indexOf('T-004')).toBe(3);
    await board.close();
    const grown = read(root);
    fs.rmSync(snapshotOf(root));
    await (await openBoard(root)).close();
    expect(read(root)).toBe(grown);
  });

  it('copies what did not change: nobody is asked how it looks', async () => {
    const root = scratch();
    const asked: string[] = [];
    const piece = (task: Task): string | undefined => {
      asked.push(task.id);
      return snapshot.piece(task);
    };
    const layout = { ...boardLayout, whole: { ...snapshot, piece } };
    const board = await openBoard(root, { layout });
    await create(board, 'one');
    await create(board, 'two');
    asked.length = 0;
    await claim(board, 'T-002', 'bob');
    await create(board, 'three');
    expect(asked).toEqual(['T-002', 'T-003']);
    expect(read(root)).toBe(expected(root));
  });

  const damages: [string, (file: string) => void][] = [
    ['is missing', (file) => fs.rmSync(file)],
    ['is empty', (file) => fs.writeFileSync(file, '')],
    ['is torn', (file) => fs.truncateSync(file, 400)],
    ['is no JSON', (file) => fs.writeFileSync(file, 'no')],
    [
      'is edited',
      (file) => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"pending"', '"done"')),
    ],
    ['is of another time', (file) => fs.utimesSync(file, 1, 1)],
  ];
  it.each(damages)(
    'that %s is no matter for readers, and made anew by the next writer',
    async (_, damage) => {
      const root = scratch();
      await someTasks(root);
      const [right, tasks] = [read(root), shown(root)];
      damage(snapshotOf(root));
      const before = treeOf(root);
      expect(shown(root)).toEqual(tasks);
      expect(treeOf(root)).toEqual(before);
      await (await openBoard(root)).close();
      expect(read(root)).toBe(right);
    },
  );

  it('follows when its note is lost or torn, and when the log went back', async () => {
    const root = scratch();
    await someTasks(root);
    const log = fs.readFileSync(logOf(root), 'utf8');
    for (const note of ['', '{}', '[1', undefined]) {
      if (note === undefined) fs.rmSync(`${boardDir(root)}/whole.json`);
      else fs.writeFileSync(`${boardDir(root)}/whole.json`, note);
      const board = await openBoard(root);
      await create(board, 'more');
      await board.close();
      expect(read(root)).toBe(expected(root));
    }
    fs.writeFileSync(logOf(root), log);
    fs.rmSync(`${boardDir(root)}/mark.json`);
    await (await openBoard(root)).close();
    expect(Object.keys(listed(root))).toEqual(['T-001', 'T-002', 'T-003']);
  });

  it('of another tool that lists tasks the log never knew is kept aside', async () => {
    const root = scratch();
    const original = new Original();
    original.create('orchestrator', 'lost');
    original.create('orchestrator', 'kept');
    writeLog(root, `${original.text.split('\n')[1]}\n`);
    const theirs = JSON.stringify({ tasks: original.tasks, meta: { version: 2 } });
    fs.writeFileSync(snapshotOf(root), theirs);
    const warnings: string[] = [];
    await (await openBoard(root, { warn: (text) => warnings.push(text) })).close();
    expect(Object.keys(listed(root))).toEqual(['T-002']);
    const [aside] = fs.readdirSync(boardDir(root)).filter((name) => name.startsWith('unknown-'));
    expect(fs.readFileSync(`${boardDir(root)}/${aside}`, 'utf8')).toBe(theirs);
    expect(warnings).toEqual([expect.stringContaining('T-001')]);
  });
});
