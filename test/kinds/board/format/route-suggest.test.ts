import { describe, expect, it } from 'vitest';
import { editDistance } from '../../../../src/errors/nearest.ts';
import { route } from '../../../../src/kinds/board/format/route/route.ts';

const alice = { actor: 'alice', isBot: false };

describe('what nobody understands', () => {
  it.each([
    ['statsu', 'status'],
    ['clam T-001', 'claim task T-001'],
    ['@orchestrator clam T-001', 'claim task T-001'],
    ['@orchestrator @coder clam T-001', '@coder claim task T-001'],
    ['craete task: Fix it', 'create task: Fix it'],
    ['makr done T-1: it works', 'mark done T-1: it works'],
    ['blokc T-1 no access', 'block task T-1: no access'],
    ['aprove T-7', 'approve T-7'],
    ['自动推近 开 3', '自动推进 开 3'],
    ['create task T-900', 'create task T-900: …'],
    ['claim T-5 please', 'claim task T-5'],
    ['claim task', 'claim task T-001'],
    ['认领', '认领 T-001'],
    ['clarify T-1 coder', 'clarify T-1 coder: …?'],
    ['dispatch T-1', 'dispatch T-1 coder: …'],
    ['request T-1', 'submit T-1'],
    ['status\nand more', 'status'],
    ['create login page', 'create task: …'],
    ['start projekt', 'start project /path/to/project'],
    ['ヘルフ', 'ヘルプ'],
  ])('%j gets the nearest command', (text, suggestion) => {
    expect(route(text, alice).intent).toMatchObject({ intent: 'unknown', suggestion });
  });

  it.each(['good morning', '大家好', 'thanks!', '123', '（╯°□°）╯'])('%j gets none', (text) => {
    expect(route(text, alice).intent).toEqual({ intent: 'unknown', raw: text });
  });

  it('is kept short', () => {
    const { intent } = route(`hello ${'😀'.repeat(1000)}`, alice);
    expect(intent).toEqual({ intent: 'unknown', raw: `hello ${'😀'.repeat(494)}` });
  });

  it('is never offered a suggestion that is longer than a line or two', () => {
    const { intent } = route(`craete task: ${'x'.repeat(5000)}`, alice);
    expect(intent).toMatchObject({ suggestion: 'create task: …' });
  });
});

it.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['', 'abc', 3],
  ['abc', 'acb', 1],
  ['status', 'statsu', 1],
  ['kitten', 'sitting', 3],
])('from %j to %j it is %d letters', (a, b, far) => {
  expect(editDistance(a, b)).toBe(far);
  expect(editDistance(b, a)).toBe(far);
});
