import { describe, expect, it } from 'vitest';
import { parseStage } from '../../../../src/kinds/packet/format/stages.ts';

describe('a stage', () => {
  it.each([
    ['gemini_brief', 'brief', 'nothing'],
    ['gemini_review', 'review', 'nothing'],
    ['gemini_test_design', 'test_design', 'nothing'],
    ['gemini_static_verify', 'static_verify', 'nothing'],
    ['codex_impl', 'impl', 'tree'],
    ['codex_verify', 'verify', 'tree'],
    ['codex_review', 'review', 'nothing'],
    ['codex_test_impl', 'test_impl', 'nothing'],
    ['copilot_runbook', 'runbook', 'tree'],
    ['copilot_review', 'review', 'nothing'],
    ['copilot_review_consolidate', 'review', 'nothing'],
  ])('%s has the gate %s and may write: %s', (stage, gate, writes) => {
    const [tool, ...role] = stage.split('_');
    expect(parseStage(stage)).toEqual({ stage, tool, role: role.join('_'), gate, writes, known: true });
  });

  it("of somebody's own may only read, and a known role keeps its gate with another tool", () => {
    expect(parseStage('codex_docs')).toEqual({
      stage: 'codex_docs',
      tool: 'codex',
      role: 'docs',
      gate: 'other',
      writes: 'nothing',
      known: false,
    });
    expect(parseStage('gemini_impl')).toMatchObject({ gate: 'impl', writes: 'tree', known: false });
    expect(parseStage('codex_constructor')).toMatchObject({ gate: 'other' });
  });

  it.each([
    '',
    'codex',
    'codex_',
    'claude_impl',
    'codex_Impl',
    'codex_../x',
    'codex_a b',
    'codex_impl\n',
    ' codex_impl',
  ])('is not %j', (name) => {
    expect(parseStage(name)).toBeUndefined();
  });
});
