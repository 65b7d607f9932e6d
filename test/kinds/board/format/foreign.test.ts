import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { log } from '../../../../src/kinds/board/format/log.ts';
import { boardTask } from '../../../../src/kinds/board/format/task.ts';
import { Ledger } from '../../../../src/store/ledger.ts';
import type { Json } from '../../../../src/task/json.ts';
import { act, logOf, listed, openBoard, shown, writeLog } from '../../../support/board.ts';
import { scratch } from '../../../support/scratch.ts';
import { Original } from './original.ts';

function folded(text: string): Ledger {
  const ledger = new Ledger(log);
  for (const [index, line] of text.trimEnd().split('\n').entries()) {
    const event = log.decode(JSON.parse(line) as Record<string, Json>, index + 1);
    if (!event) throw new Error(`line ${index + 1} is not read`);
    ledger.apply(event);
  }
  return ledger;
}

const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
const actor = fc.constantFrom('orchestrator', 'coder', 'debugger', 'ou_1');
const id = fc.constantFrom('T-001', 'T-002', 'T-003', 'mine');
const given = fc.option(fc.constantFrom('mine', 'T-7', 'T-1001'), { nil: undefined });
const maybe = (text: fc.Arbitrary<string>) => fc.option(text, { nil: undefined });
type Move = (board: Original) => void;
const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.tuple(actor, words, given, maybe(actor)).map(
    (args): Move =>
      (board) =>
        void board.create(...args),
  ),
  fc.tuple(actor, id, maybe(actor)).map(
    (args): Move =>
      (board) =>
        board.claim(...args),
  ),
  fc.tuple(actor, id, maybe(words)).map(
    (args): Move =>
      (board) =>
        board.done(...args),
  ),
  fc.tuple(actor, id, maybe(words)).map(
    (args): Move =>
      (board) =>
        void board.block(...args),
  ),
  fc.tuple(actor, id, maybe(words)).map(
    (args): Move =>
      (board) =>
        board.escalate(...args),
  ),
);

describe('a log that the format’s first tool wrote', () => {
  it('folds to that tool’s own snapshot, whatever its commands were', () => {
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 60 }), (commands) => {
        const board = new Original();
        board.create('orchestrator', 'the first');
        for (const move of commands) move(board);
        const tasks = folded(board.text).list();
        expect(Object.fromEntries(tasks.map((task) => [task.id, boardTask(task)]))).toEqual(board.tasks);
      }),
      { numRuns: 200 },
    );
  });

  it('opens, is listed as there, and goes on', async () => {
    const root = scratch();
    const original = new Original();
    for (const title of ['one', '二', 'three', 'four']) original.create('orchestrator', title);
    original.claim('orchestrator', 'T-001', 'coder');
    original.claim('debugger', 'T-002');
    original.claim('coder', 'T-002');
    original.done('coder', 'T-002', 'logs/run.log');
    original.escalate('orchestrator', 'T-003', 'no access');
    writeLog(root, original.text);
    expect(shown(root)).toEqual(original.tasks);
    const board = await openBoard(root);
    expect(listed(root)).toEqual(original.tasks);
    // A claim there has no end, so it is over: whoever wants the task may have it.
    const about = { id: 'T-001', by: 'ann' };
    await act(board, { type: 'claim', ...about, owner: 'ann', until: '2999-01-01T00:00:00Z' });
    await board.close();
    expect(listed(root)['T-001']).toMatchObject({ status: 'claimed', owner: 'ann' });
    expect(fs.readFileSync(logOf(root), 'utf8').startsWith(original.text)).toBe(true);
  });

  it('reads what people added by hand, and what it does not know changes nothing', () => {
    const board = new Original();
    board.create('orchestrator', 'one');
    board.claim('coder', 'T-001');
    board.done('coder', 'T-001', 'all of it');
    const line = (type: string, payload: Json, taskId = 'T-001') =>
      `${JSON.stringify({ eventId: 'e', taskId, type, messageType: '[X]', actor: 'ann', at: '2026-03-02T00:00:00Z', payload })}\n`;
    const reopened = folded(board.text + line('task_reopened', { reason: 'wrong', previousStatus: 'done' }));
    expect(boardTask(reopened.get('T-001')!)).toMatchObject({
      status: 'pending',
      owner: null,
      result: 'all of it',
    });
    const odd =
      line('task_teleported', { to: 'mars' }) +
      line('task_claimed', [], 'T-001') +
      line('task_done', {}, '../x');
    const same = folded(board.text + odd);
    expect(same.list().map(({ id: one, status }) => [one, status])).toEqual([['T-001', 'done']]);
  });

  it('lists a task without a beginning as untitled, and lets a second life replace the first', () => {
    const board = new Original();
    board.create('orchestrator', 'one');
    board.claim('coder', 'T-001');
    board.done('coder', 'T-001', 'r');
    const [, ...rest] = board.text.split(/(?<=\n)/);
    const lost = boardTask(folded(rest.join('')).get('T-001')!);
    expect(lost).toMatchObject({ title: 'untitled', status: 'done', owner: 'coder', result: 'r' });
    expect(lost.history).toEqual(board.tasks['T-001']?.history.slice(1));
    const again = new Original();
    again.create('debugger', 'another life');
    expect(boardTask(folded(board.text + again.text).get('T-001')!)).toEqual(again.tasks['T-001']);
  });
});
