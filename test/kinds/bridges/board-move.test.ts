import { describe, expect, it } from 'vitest';
import { boardMove, type BoardMove } from '../../../src/kinds/bridges/board-move.ts';
import type { Heard } from '../../../src/task/link.ts';
import type { Task } from '../../../src/task/schema.ts';

const now = '2026-03-01T08:00:00.000Z';
const later = '2026-03-31T08:00:00.000Z';
const card = {
  title: 'It',
  spec: { body: 'It' },
  priority: 0,
  needs: [],
  createdAt: now,
  createdBy: 'ann',
  updatedAt: now,
  queuedAt: now,
  extras: {},
};
const held = { owner: 'docket', lease: { kind: 'term', until: later }, token: 4 } as const;
const reason = { kind: 'gate', text: 'a question', who: 'a person' } as const;

function child(state: object): Task {
  return {
    ...card,
    id: 'q1',
    rev: 9,
    standsFor: { layout: 'board', id: 'T-1' },
    ...state,
  } as unknown as Task;
}

/** `heard`: what it knows of its task of the queue. */
function board(state: object, heard: Partial<Heard> = { rev: 5, as: 'held' }): Task {
  return {
    ...card,
    id: 'T-1',
    rev: 7,
    doneBy: { layout: 'queue', id: 'q1', ...heard },
    ...state,
  } as unknown as Task;
}

const waiting = child({ status: 'queued' });
const running = child({ status: 'running', startedAt: now, ...held });
const failed = child({ status: 'failed', finishedAt: now, failure: { error: 'it broke' } });
const asks = child({ status: 'blocked', reason });
const limited = child({ status: 'blocked', reason: { ...reason, kind: 'limit', who: 'docket' } });
const done = child({ status: 'done', startedAt: now, finishedAt: now, summary: 'ok' });
const canceled = child({ status: 'canceled', finishedAt: now, canceledBecause: 'no' });
const deleted = child({ status: 'queued', removedAt: now });

const claimed = board({ status: 'queued', ...held });
const atWork = board({ status: 'running', startedAt: now, ...held });
const blocked = board({ status: 'blocked', reason, owner: 'docket' }, { rev: 5, as: 'blocked' });
const byAnn = { status: 'running', startedAt: now, ...held, owner: 'ann' };

function told(move: BoardMove): string {
  if (move.kind === 'commands') return `${move.commands.map(({ type }) => type).join(' ')} → ${move.as}`;
  return move.kind === 'gate' ? `${move.before.map(({ type }) => type).join(' ')} gate`.trim() : move.kind;
}

describe('what a task of the board becomes by its task of the queue', () => {
  it.each([
    [
      'is claimed for one that waits',
      { ...board({ status: 'queued' }), doneBy: undefined },
      waiting,
      'claim → held',
    ],
    ['is begun with it', claimed, running, 'start → held'],
    ['stays claimed while it waits', claimed, waiting, 'none'],
    ['stays in progress through a limit', atWork, limited, 'none'],
    ['is blocked when it asks', atWork, asks, 'block → blocked'],
    ['is blocked when it fails', atWork, failed, 'block → blocked'],
    ['is taken again by a retry', blocked, waiting, 'requeue claim → held'],
    ['is free when it is canceled', atWork, canceled, 'requeue → free'],
    ['is free when it is canceled before it began', claimed, canceled, 'release → free'],
    ['is free when it is deleted', claimed, deleted, 'release → free'],
    ['goes through its gate', atWork, done, 'gate'],
    ['is begun before its gate', claimed, done, 'start gate'],
    ['is left to who took it', board(byAnn), failed, 'lost'],
    ['is not taken from who has it', board(byAnn), waiting, 'lost'],
    ['is not taken from a person who blocked it', board({ status: 'blocked', reason }), waiting, 'lost'],
    [
      'hears nothing twice',
      board({ status: 'running', startedAt: now, ...held }, { rev: 9 }),
      failed,
      'none',
    ],
    [
      'hears nothing that is older than what it knows',
      board({ status: 'queued' }, { rev: 12, as: 'free' }),
      running,
      'none',
    ],
    ['stays done', board({ status: 'done', startedAt: now, finishedAt: now, summary: 'ok' }), done, 'none'],
  ] as const)('%s', (_name, before, after, wanted) => {
    expect(told(boardMove(before as Task, after, now))).toBe(wanted);
  });

  it('is renewed in time', () => {
    expect(told(boardMove(claimed, waiting, '2026-03-20T08:00:00.000Z'))).toBe('renew → held');
  });
});
