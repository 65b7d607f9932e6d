import { expect, test } from 'vitest';
import type { Condition, Rule } from '../../src/workflow/graph.ts';
import { choose, tagIn } from '../../src/workflow/rules.ts';
import { node, rule } from './graph.ts';

const review = node('review', [rule('approved', 'COMPLETE'), rule('needs fix', 'fix')]);
const seen = (text: string, facts = {}) => ({ text, facts });
const conditioned = (condition: Condition): Rule => ({ condition, text: 'c', next: { end: 'done' } });

test('the last tag of this step counts, whatever its case', () => {
  expect(choose(review, seen('Use [REVIEW:1] or [REVIEW:2].\n[review: 2]'))).toMatchObject({
    kind: 'chosen',
    chose: { rule: 1, by: 'tag', text: 'needs fix' },
  });
});

test("a tag of another step, or with a number that no rule has, is nobody's", () => {
  for (const text of ['[FIX:1]', '[REVIEW:7]', '[REVIEW:x]', 'approved'])
    expect(choose(review, seen(text))).toEqual({ kind: 'ask', rules: [0, 1] });
});

test('the tag 0 asks for a person', () => {
  expect(choose(review, seen('Which database?\n[REVIEW:0]'))).toEqual({ kind: 'person' });
});

test('a single rule needs no tag', () => {
  expect(choose(node('work', [rule('done', 'COMPLETE')]), seen('whatever'))).toMatchObject({
    chose: { by: 'only' },
  });
});

test('what can be computed comes before what the agent says', () => {
  const when = conditioned({
    kind: 'when',
    expression: {
      op: '>',
      left: { op: 'path', path: ['context', 'iteration'] },
      right: { op: 'value', value: 3 },
    },
  });
  const steps = node('review', [...review.rules, when]);
  expect(choose(steps, seen('[REVIEW:1]', { context: { iteration: 4 } }))).toMatchObject({
    chose: { rule: 2, by: 'when' },
  });
  expect(choose(steps, seen('[REVIEW:1]', { context: { iteration: 3 } }))).toMatchObject({
    chose: { rule: 0, by: 'tag' },
  });
});

test('"true" holds when nothing else does, and a judge is asked before', () => {
  const always = conditioned({ kind: 'when', expression: { op: 'value', value: true } });
  const steps = node('review', [always, ...review.rules]);
  expect(choose(steps, seen('[REVIEW:3]'))).toMatchObject({ chose: { rule: 2 } });
  expect(choose(steps, seen('hm'))).toMatchObject({
    kind: 'ask',
    rules: [1, 2],
    otherwise: { rule: 0, by: 'default' },
  });
  expect(choose(node('x', [always]), seen(''))).toMatchObject({ chose: { by: 'default' } });
});

test('all and any look at what the parts chose', () => {
  const fan = (kind: 'all' | 'any', ...labels: string[]) => node('fan', [conditioned({ kind, labels })]);
  const parts = (...said: (string | undefined)[]) => ({ text: '', facts: {}, parts: said });
  const holds = (of: ReturnType<typeof fan>, said: ReturnType<typeof parts>) =>
    choose(of, said).kind === 'chosen';
  expect(holds(fan('all', 'approved'), parts('approved', 'Approved '))).toBe(true);
  expect(holds(fan('all', 'approved'), parts('approved', undefined))).toBe(false);
  expect(holds(fan('all', 'approved'), parts())).toBe(false);
  expect(holds(fan('all', 'a', 'b'), parts('a', 'b'))).toBe(true);
  expect(holds(fan('all', 'a', 'b'), parts('b', 'a'))).toBe(false);
  expect(holds(fan('any', 'bad', 'worse'), parts('ok', 'worse'))).toBe(true);
  expect(holds(fan('any', 'bad'), parts('ok', undefined))).toBe(false);
});

test('a rule of several conditions is out as soon as one of them is false', () => {
  const both = (value: boolean): Rule =>
    conditioned({
      kind: 'and',
      parts: [
        { kind: 'label', text: 'approved' },
        { kind: 'when', expression: { op: 'value', value } },
      ],
    });
  expect(choose(node('a', [both(false), rule('other', 'COMPLETE')]), seen(''))).toEqual({
    kind: 'ask',
    rules: [1],
  });
  expect(choose(node('a', [both(true), rule('other', 'COMPLETE')]), seen('[A:1]'))).toMatchObject({
    chose: { rule: 0 },
  });
});

test('docket itself says how checks went', () => {
  const verify = node('verify', [rule('passed', 'COMPLETE'), rule('failed', 'fix')], { kind: 'checks' });
  expect(choose(verify, { text: '[VERIFY:1]', facts: {}, checks: 'failed' })).toMatchObject({
    chose: { rule: 1, by: 'checks' },
  });
});

test('no rule, no choice', () => {
  expect(choose(node('end', []), seen('[END:1]'))).toEqual({ kind: 'none' });
});

test('a long text of brackets costs nothing', () => {
  expect(tagIn(`${'['.repeat(200_000)}REVIEW:1]`, 'review')).toBe(1);
});
