import { describe, expect, it } from 'vitest';
import { painter } from '../../../../src/surfaces/cli/frame/style.ts';
import { displayWidth } from '../../../../src/surfaces/cli/frame/visible.ts';
import { elapsed, liveLines } from '../../../../src/surfaces/cli/live/lines.ts';
import { liveAfter, liveState, type LiveChange } from '../../../../src/surfaces/cli/live/state.ts';

const begin = (task: string, more: Partial<Extract<LiveChange, { kind: 'begin' }>> = {}): LiveChange => ({
  kind: 'begin',
  key: task,
  task,
  step: 'implement',
  agent: 'codex',
  at: 0,
  ...more,
});
const says = (key: string, text: string): LiveChange => ({
  kind: 'event',
  key,
  attempt: 1,
  event: { type: 'text', text },
});
const uses = (key: string, input: number, cost?: number): LiveChange => ({
  kind: 'event',
  key,
  attempt: 1,
  event: { type: 'usage', turn: { input, cached: 0, output: 100, ...(cost !== undefined && { cost }) } },
});
const counts = (done: number, failed: number, blocked: number, total: number): LiveChange => ({
  kind: 'counts',
  counts: { done, failed, blocked, total },
});

function shown(
  changes: readonly LiveChange[],
  view: { columns?: number; height?: number; color?: boolean } = {},
) {
  const state = changes.reduce(liveAfter, liveState(0));
  const { columns = 100, height = 24, color = false } = view;
  return liveLines(state, { now: 125_000, columns, height, paint: painter(color) });
}

describe('the live lines', () => {
  it('are one for each running step, and one for the whole', () => {
    const lines = shown([
      counts(2, 1, 1, 8),
      begin('fix-login'),
      begin('docs', { step: 'review', agent: 'claude', at: 65_000 }),
      uses('fix-login', 11_900, 0.25),
      uses('fix-login', 900, 0.05),
      says('fix-login', 'I run the tests.\nThen more.'),
      { kind: 'event', key: 'docs', attempt: 1, event: { type: 'file', change: 'update', path: 'a.md' } },
    ]);
    expect(lines).toEqual([
      'fix-login  implement  codex   2m05s  13k tokens  $0.30  I run the tests.',
      'docs       review     claude  1m00s                     update a.md',
      '[######xxx!!!............] 2/8 done, 1 failed, 1 blocked, 2 running  2m05s  13k tokens  $0.30',
    ]);
  });

  it('lose what has ended, and keep what it used', () => {
    const lines = shown([counts(1, 0, 0, 1), begin('a'), uses('a', 900), { kind: 'end', key: 'a' }]);
    expect(lines).toEqual(['[########################] 1/1 done, 0 running  2m05s  1000 tokens']);
  });

  it('go on counting where a step is tried again', () => {
    const again = begin('a', { agent: 'claude', at: 120_000 });
    expect(shown([begin('a'), uses('a', 900), again])[0]).toBe('a  implement  claude  5s  1000 tokens');
  });

  it('are none before anything is known', () => {
    expect(shown([])).toEqual([]);
    expect(shown([counts(0, 0, 0, 0)])).toEqual([]);
    expect(shown([begin('a')]).at(-1)).toBe('0 done, 1 running  2m05s');
  });

  it.each([9, 20, 39, 60, 80, 200])('fit into %i columns, whatever they say', (columns) => {
    const wide = '日本語のとても長い名前のタスク🙂'.repeat(4);
    const hostile = '\u001B[2J\u001B]0;title\u0007\r\n\u202Eevil';
    for (const text of [wide, hostile, 'x'.repeat(500)]) {
      const lines = shown([counts(1, 2, 3, 9), begin(text), says(text, text), uses(text, 5e6, 1)], {
        columns,
      });
      for (const line of lines) {
        expect(displayWidth(line)).toBeLessThan(columns);
        // oxlint-disable-next-line no-control-regex -- none may be left
        expect(line).not.toMatch(/[\u0000-\u001F\u202E]/);
      }
    }
  });

  it('are painted after they are cut', () => {
    const lines = shown([begin('a'.repeat(50)), says('a'.repeat(50), 'b'.repeat(90))], {
      columns: 60,
      color: true,
    });
    // oxlint-disable-next-line no-control-regex -- our own colours
    const plain = lines.map((line) => line.replaceAll(/\u001B\[\d+m/g, ''));
    for (const line of plain) expect(line).not.toContain('\u001B');
    expect(displayWidth(plain[0] ?? '')).toBe(59);
  });

  it('leave room on a small terminal', () => {
    const lines = shown(
      Array.from({ length: 12 }, (_, n) => begin(`task-${n}`)),
      { height: 8 },
    );
    expect(lines).toHaveLength(6);
    expect(lines.at(-2)).toBe('… and 8 more');
  });

  it('say how long in one word', () => {
    expect([-5, 7_900, 60_000, 3_725_000].map(elapsed)).toEqual(['0s', '7s', '1m00s', '1h02m']);
  });
});
