import { expect, test } from 'vitest';
import type { Expression } from '../../src/workflow/graph.ts';
import { evaluate } from '../../src/workflow/rules.ts';

const path = (...names: string[]): Expression => ({ op: 'path', path: names });
const value = (of: string | number | boolean | null): Expression => ({ op: 'value', value: of });
const facts = {
  structured: { ok: true, score: 7, findings: [{ level: 'low' }, { level: 'high' }] },
  context: { iteration: 2 },
};

test('values are compared by kind and never by chance', () => {
  const holds = (op: '==' | '!=' | '>' | '<' | '>=' | '<=', left: Expression, right: Expression) =>
    evaluate({ op, left, right }, facts);
  expect(holds('==', path('structured', 'ok'), value(true))).toBe(true);
  expect(holds('>=', path('structured', 'score'), value(7))).toBe(true);
  expect(holds('==', path('structured', 'score'), value('7'))).toBe(false);
  expect(holds('<', path('structured', 'nothing'), value(7))).toBe(false);
  expect(holds('>', value('b'), value('a'))).toBe(false);
});

test('lists are searched', () => {
  const test_: Expression = { op: '==', left: path('item', 'level'), right: value('high') };
  expect(evaluate({ op: 'exists', list: path('structured', 'findings'), test: test_ }, facts)).toBe(true);
  expect(evaluate({ op: 'exists', list: path('structured', 'ok'), test: test_ }, facts)).toBe(false);
});

test('and, or, and nothing of the language behind it', () => {
  const yes = value(true);
  const no = value(false);
  expect(evaluate({ op: '&&', left: yes, right: no }, facts)).toBe(false);
  expect(evaluate({ op: '||', left: no, right: yes }, facts)).toBe(true);
  expect(evaluate(path('structured', 'constructor', 'name'), facts)).toBeUndefined();
  expect(evaluate(path('structured', '__proto__'), facts)).toBeUndefined();
});
