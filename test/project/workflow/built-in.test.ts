import { describe, expect, it } from 'vitest';
import { checkWorkflows } from '../../../src/project/workflow/check.ts';
import { listWorkflows } from '../../../src/project/workflow/list.ts';
import { findWorkflow } from '../../../src/workflows/find.ts';
import { place } from './place.ts';

const intents: Record<string, string[]> = {
  safe_impl: ['brief', 'impl', 'verify', 'checks', 'review'],
  one_shot_impl: ['brief', 'runbook', 'verify', 'checks'],
  design_only: ['brief', 'test_design', 'review'],
  review_only: ['review'],
  review_cross: ['reviews', 'wide_review', 'precise_review', 'review_consolidate'],
  post_impl_review: [
    'review',
    'test_design',
    'static_verify',
    'precise_review',
    'test_impl',
    'verify',
    'checks',
  ],
};

it('all of them are without a problem', async () => {
  const here = place();
  expect(listWorkflows(here).findings).toEqual([]);
  expect(listWorkflows(here).workflows.map(({ name }) => name)).toEqual(
    [...Object.keys(intents), 'default', 'quick', 'review-only'].toSorted(),
  );
  expect(await checkWorkflows([], here)).toEqual([]);
});

it.each(Object.entries(intents))('the intent %s has its stages', (name, steps) => {
  const { nodes } = findWorkflow(name, place());
  expect(Object.keys(nodes)).toEqual(steps);
  const writers = Object.values(nodes).filter(({ permission }) => permission === 'edit');
  expect(writers.map(({ title }) => title)).toEqual(
    steps.filter((step) => ['impl', 'runbook', 'verify'].includes(step)),
  );
});

it('quick is one step and one rule', () => {
  const { nodes, start } = findWorkflow('quick', place());
  expect(Object.keys(nodes)).toEqual([start]);
  expect(nodes[start]).toMatchObject({
    id: 'work',
    permission: 'edit',
    reports: [],
    checks: [],
    rules: [{ next: { end: 'done' } }],
  });
});

it('review-only reads, and hands in a report', () => {
  const [node, other] = Object.values(findWorkflow('review-only', place()).nodes);
  expect(node).toMatchObject({ permission: 'read', reports: [{ name: '01-review.md' }] });
  expect([other, node?.floor]).toEqual([undefined, undefined]);
});

describe('default', () => {
  it('goes from plan to review, and back by way of a fix', () => {
    const acceptance = [{ name: 'test', command: 'npm test' }];
    const graph = findWorkflow('default', place(), acceptance);
    const ways = Object.values(graph.nodes).map(({ id, rules }) => [
      id,
      rules.map(({ next }) => ('step' in next ? next.step : next.end)),
    ]);
    expect(Object.fromEntries(ways)).toEqual({
      plan: ['implement', 'done', 'failed'],
      implement: ['verify', 'plan'],
      verify: ['review', 'fix'],
      review: ['done', 'fix'],
      fix: ['verify', 'plan'],
      'judge-review-fix': ['review', 'failed'],
      'judge-fix-verify': ['fix', 'failed'],
    });
    expect(graph.nodes['verify']).toMatchObject({ kind: 'checks', checks: acceptance });
    expect(graph.maxSteps).toBe(30);
  });

  it('has a judge after three rounds', () => {
    expect(findWorkflow('default', place()).monitors).toEqual([
      { cycle: ['review', 'fix'], threshold: 3, ignore: ['verify'], judge: 'judge-review-fix' },
      { cycle: ['fix', 'verify'], threshold: 3, ignore: [], judge: 'judge-fix-verify' },
    ]);
  });
});
