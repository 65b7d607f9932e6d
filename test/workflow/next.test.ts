import { expect, test } from 'vitest';
import { nextIn } from '../../src/workflow/next.ts';
import { emptyRun, graph, node, play, rule } from './graph.ts';

const loop = graph([
  node('implement', [rule('done', 'review')]),
  node('review', [rule('approved', 'COMPLETE'), rule('needs fix', 'fix'), rule('hopeless', 'ABORT')]),
  node('fix', [rule('fixed', 'review')]),
]);

test('a run begins with the first node and follows the rules that were chosen', () => {
  const { run, next } = play(loop, [0, 1, 0, 0]);
  expect(run.steps.map(({ id }) => id)).toEqual(['implement', 'review', 'fix', 'review--2']);
  expect(next).toEqual({ kind: 'end', as: 'done' });
});

test('the same state always leads to the same thing', () => {
  const { run, next } = play(loop, [0, 1]);
  expect(nextIn(loop, run, {})).toEqual(next);
  expect(next).toMatchObject({ kind: 'order', steps: [{ id: 'fix', node: 'fix', needs: [] }] });
});

test('a step that gives up, or fails, ends the run with its name', () => {
  expect(play(loop, [0, 2]).next).toMatchObject({ kind: 'end', as: 'failed', step: 'review' });
  const { run } = play(loop, [0]);
  const failed = {
    ...run,
    states: { implement: { state: 'failed' as const, since: run.startedAt, reason: 'boom' } },
  };
  expect(nextIn(loop, failed, {})).toEqual({ kind: 'end', as: 'failed', step: 'implement', reason: 'boom' });
});

test('a step that chose nothing leaves the run lost, not over', () => {
  const { run } = play(loop, [0]);
  const silent = { ...run, states: { implement: { state: 'done' as const, since: run.startedAt } } };
  expect(nextIn(loop, silent, {})).toMatchObject({ kind: 'lost', step: { id: 'implement' } });
});

test('a workflow takes no more steps than it may, and more when a person allows more', () => {
  const small = { ...loop, maxSteps: 3 };
  const { run, next } = play(small, [0, 1, 0]);
  expect(next).toEqual({ kind: 'exceeded', max: 3, taken: 3 });
  expect(nextIn(small, run, { maxSteps: 6 })).toMatchObject({ kind: 'order', steps: [{ id: 'review--2' }] });
});

test('parts run at once, count as one step, and the node that needs them comes last', () => {
  const fan = graph(
    [
      node('reviews', [rule('all', 'COMPLETE')], { kind: 'fan', parts: ['arch', 'security'] }),
      node('arch', [rule('approved', 'COMPLETE')]),
      node('security', [rule('approved', 'COMPLETE')]),
    ],
    { maxSteps: 1 },
  );
  const first = nextIn(fan, emptyRun, {});
  expect(first.kind === 'order' && first.steps.map(({ id, kind, needs }) => [id, kind, needs])).toEqual([
    ['arch', 'work', []],
    ['security', 'work', []],
    ['reviews', 'fan', ['arch', 'security']],
  ]);
  expect(play(fan, [0]).next).toEqual({ kind: 'end', as: 'done' });
});

test('a node that the workflow no longer has ends the run, and says so', () => {
  const { run } = play(loop, [0, 1]);
  const other = graph([node('implement', [rule('done', 'COMPLETE')])]);
  expect(nextIn(other, run, {})).toMatchObject({ as: 'failed', reason: expect.stringContaining('review') });
});

test('a circle that was run too often is judged, once, and counts from there', () => {
  const watched = graph(
    [
      node('review', [rule('ok', 'COMPLETE'), rule('bad', 'fix')]),
      node('fix', [rule('fixed', 'review')]),
      node('judge', [rule('go on', 'review'), rule('stop', 'ABORT')]),
    ],
    { monitors: [{ cycle: ['review', 'fix'], threshold: 2, ignore: [], judge: 'judge' }] },
  );
  const { run } = play(watched, [1, 0, 1, 0, 0, 1, 0, 1, 0]);
  expect(run.steps.map(({ node: id }) => id)).toEqual([
    'review',
    'fix',
    'review',
    'fix',
    'judge',
    'review',
    'fix',
    'review',
    'fix',
  ]);
  expect(play(watched, [1, 0, 1, 0, 0, 1, 0, 1, 0]).next).toMatchObject({ steps: [{ node: 'judge' }] });
});

test.each([
  ['COMPLETE', 'May it end here, as done? plan: unclear'],
  ['ABORT', 'May it be given up here? plan: unclear'],
  ['plan', 'What do you say to this? plan begins again with it. plan: unclear'],
])('a rule that asks a person before %s is a question', (to, title) => {
  const { next } = play(graph([node('plan', [{ ...rule('unclear', to), asks: true }])]), [0]);
  expect(next).toMatchObject({ steps: [{ kind: 'human', title }] });
});

test('a rule that asks a person leads on only when they have answered', () => {
  const asks = graph([
    node('plan', [{ ...rule('unclear', 'implement'), asks: true }]),
    node('implement', [rule('done', 'COMPLETE')]),
  ]);
  const { run, next } = play(asks, [0]);
  const title = 'May it go on to implement? plan: unclear';
  expect(next).toMatchObject({
    kind: 'order',
    steps: [{ id: 'plan--ask', kind: 'human', needs: [], title }],
  });
  const asked = { ...run, steps: [...run.steps, ...(next.kind === 'order' ? next.steps : [])] };
  const answered = (state: 'done' | 'failed') => ({
    ...asked,
    states: { ...run.states, 'plan--ask': { state, since: run.startedAt } },
  });
  expect(nextIn(asks, answered('done'), {})).toMatchObject({ kind: 'order', steps: [{ id: 'implement' }] });
  expect(nextIn(asks, answered('failed'), {})).toMatchObject({ kind: 'end', as: 'failed' });
});
