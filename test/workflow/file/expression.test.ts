import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCondition, parseExpression } from '../../../src/workflow/file/expression.ts';
import { evaluate } from '../../../src/workflow/rules.ts';

function value(text: string, facts: Record<string, unknown>): unknown {
  const parsed = parseExpression(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return evaluate(parsed.expression, facts);
}

describe('an expression', () => {
  it.each([
    ['context.iteration > 3', true],
    ['context.iteration >= 4 && structured.ok == true', true],
    ['context.iteration < 3 || structured.name == "a \\"b\\""', true],
    ["structured.name != 'x'", true],
    ['(context.iteration < 3 || structured.ok == true) && context.iteration != 5', true],
    ['context.iteration < 3 || structured.ok == true && false', false],
    ['exists(structured.items, item.level == "high")', true],
    ['exists(structured.items, item.level == "low")', false],
    ['structured.missing.deep == null', false],
    ['structured.count == -1.5', true],
    ['true', true],
  ])('%s is %s', (text, expected) => {
    const structured = { ok: true, name: 'a "b"', items: [{ level: 'high' }], count: -1.5 };
    expect(value(text, { context: { iteration: 4 }, structured })).toBe(expected);
  });

  it.each([
    ['', 'a value is missing (character 1)'],
    ['context.a ==', 'a value is missing (character 13)'],
    ['context.a == 1 1', 'nothing more is expected here (character 16)'],
    ['(context.a', '")" is missing (character 11)'],
    ['contxt.a == 1', '"contxt" is not known: did you mean "context"?'],
    ['item.a == 1', 'is not known'],
    ['effect.merge.ok == true', 'not supported: effects'],
    ['context.__proto__.x == 1', '"__proto__" cannot be asked for'],
    ['context.constructor == 1', '"constructor" cannot be asked for'],
    ['context.a; process.exit()', '";" has no meaning here (character 10)'],
    ['(('.repeat(40), 'nested too deeply'],
    [`context.a == ${'1 '.repeat(1200)}`, 'longer than 2000 characters'],
    [`${'true && '.repeat(240)}true`, 'too many parts'],
  ])('%j: %s', (text, problem) => {
    expect(parseExpression(text)).toEqual({ problem: expect.stringContaining(problem) as string });
  });

  it('answers, whatever it is given', () => {
    const bits = fc.constantFrom(
      'context.a',
      '(',
      ')',
      '&&',
      '||',
      '==',
      '"x',
      '"x"',
      'exists(',
      ',',
      ' ',
      '1',
      'true',
      '\0',
      '\\',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(bits).map((all) => all.join('')),
        ),
        (text) => {
          const parsed = parseExpression(text);
          expect('problem' in parsed || 'op' in parsed.expression).toBe(true);
          const condition = parseCondition(text);
          expect('problem' in condition || 'kind' in condition.condition).toBe(true);
        },
      ),
    );
  });
});

describe('a condition', () => {
  const label = (text: string) => ({ kind: 'label', text });

  it.each([
    ['approved', label('approved')],
    ["it's done && dusted", label("it's done && dusted")],
    ['all (or most) tests pass', label('all (or most) tests pass')],
    ['when everything is green', label('when everything is green')],
    ['ai("is it, \\"really\\", ready?")', { kind: 'judge', text: 'is it, "really", ready?' }],
    ['all("A", "B")', { kind: 'all', labels: ['A', 'B'] }],
    ["any('A')", { kind: 'any', labels: ['A'] }],
    ['true', { kind: 'when', expression: { op: 'value', value: true } }],
  ])('%s', (text, condition) => {
    expect(parseCondition(text)).toEqual({ condition });
  });

  it('may have several parts', () => {
    const parsed = parseCondition('approved && when(context.iteration > 3 && structured.a == "x && y")');
    expect(parsed).toMatchObject({
      condition: { kind: 'and', parts: [label('approved'), { kind: 'when', expression: { op: '&&' } }] },
    });
  });

  it.each([
    ['all("A" "B")', 'needs texts in quotes'],
    ['all("A",)', 'needs texts in quotes'],
    ['ai("a", "b")', 'takes one question'],
    ['any("")', 'needs texts in quotes'],
    ['when(context.a', 'is not closed'],
    ['when(1 +)', 'has no meaning'],
    ['approved && true &&', 'nothing stands beside'],
    ['x'.repeat(5000), 'longer than'],
  ])('%s cannot be read', (text, problem) => {
    expect(parseCondition(text)).toEqual({ problem: expect.stringContaining(problem) as string });
  });
});
