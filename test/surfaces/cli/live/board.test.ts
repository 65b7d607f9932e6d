import { expect, it } from 'vitest';
import type { Progress } from '../../../../src/engine/progress.ts';
import { taskWords } from '../../../../src/surfaces/cli/live/progress.ts';
import { Tally } from '../../../../src/surfaces/cli/live/state.ts';
import type { Task } from '../../../../src/task/schema.ts';

const ref = (id: string) => ({ kind: 'board', id, name: id, title: 'one' }) as const;
const blocked = { status: 'blocked', reason: { kind: 'gate', text: 'no proof', who: 'a person' } };
const happened: Progress[] = [
  { ref: ref('T-1'), kind: 'started' },
  {
    ref: ref('T-1'),
    step: 'work-1',
    title: 'one',
    role: 'coder',
    agent: 'sh',
    kind: 'stepped',
    state: 'failed',
    summary: 'no proof',
  },
  { ref: ref('T-1'), kind: 'ended', task: blocked as Task },
  { ref: ref('T-2'), kind: 'started' },
  { ref: ref('T-2'), kind: 'ended', task: blocked as Task },
  { ref: ref('T-3'), kind: 'ended' },
];

function printed(isShown: boolean): string[] {
  const lines: string[] = [];
  const out = { talk: (text: string) => lines.push(text), paintTalk: (_color: string, text: string) => text };
  const words = taskWords({ out } as unknown as Parameters<typeof taskWords>[0], 'queue');
  for (const progress of happened) words.print(progress, isShown);
  return lines;
}

it('above the live view, the end of a step and of a task are printed, and the same reason once', () => {
  expect(printed(true)).toEqual([
    'T-1 work-1: failed: no proof',
    'board T-1  blocked',
    'board T-2  blocked: no proof',
    'board T-3  ended',
  ]);
});

it('without a live view, a task of another kind is one line at its beginning and one at its end', () => {
  expect(printed(false)).toEqual([
    'board T-1  started  one',
    'board T-1  blocked',
    'board T-2  started  one',
    'board T-2  blocked',
    'board T-3  ended',
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
