import { expect, it } from 'vitest';
import { boardProgress } from '../../../../src/surfaces/cli/board/watched.ts';
import type { OtherProgress } from '../../../../src/surfaces/cli/frame/stream.ts';
import { Tally } from '../../../../src/surfaces/cli/live/state.ts';
import type { Step } from '../../../../src/task/run.ts';

const step: Step = {
  id: 'work-1',
  kind: 'work',
  title: 'one',
  role: 'coder',
  agent: 'sh',
  needs: [],
};

it('a task of the board begins with its first step and ends with what came of it, told once', () => {
  const told: OtherProgress[] = [];
  const { onProgress, onStep } = boardProgress((progress) => told.push(progress));
  onProgress('T-1', { kind: 'started', step, agent: 'sh', attempt: 1 });
  onProgress('T-1', { kind: 'ended', step, state: 'failed', summary: 'no proof' });
  onStep({ taskId: 'T-1', agent: 'coder', decision: 'blocked', detail: 'no proof' });
  onStep({ taskId: 'T-2', agent: 'coder', decision: 'stopped', detail: 'it goes on later' });
  const board = { layout: 'board' } as const;
  expect(told).toEqual([
    { ...board, id: 'T-1', kind: 'started' },
    { ...board, id: 'T-1', name: 'T-1', step: 'work-1', kind: 'step', agent: 'sh', attempt: 1 },
    {
      ...board,
      id: 'T-1',
      name: 'T-1',
      step: 'work-1',
      kind: 'stepped',
      state: 'failed',
      summary: 'no proof',
    },
    { ...board, id: 'T-1', kind: 'ended', task: { status: 'blocked' } },
    { ...board, id: 'T-2', kind: 'ended', task: { status: 'queued' }, said: 'it goes on later' },
  ]);
});

it('what other layouts have to do is part of the whole before it begins', () => {
  const tally = new Tally();
  tally.expected = 2;
  for (const key of ['task a', 'packet b', 'task a']) tally.awaits(key);
  expect(tally.counts.total).toBe(4);
  for (const key of ['q', 'task a']) tally.begin(key);
  tally.end('task a', 'done');
  expect(tally.counts).toMatchObject({ done: 1, total: 4 });
});
