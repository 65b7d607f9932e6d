import { expect, it } from 'vitest';
import type { StepDiff } from '../../../src/render/explain/types.ts';
import { diffLines } from '../../../src/surfaces/cli/explain/lines.ts';
import type { World } from '../../../src/surfaces/cli/frame/world.ts';

const at = '2026-01-01T00:00:00Z';
const patch = (from: string, to: string) => `--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-${from}\n+${to}\n`;
const diffs: StepDiff[] = [
  { step: 'fix', at, patch: patch('你好', '\u001B[2Jlong day') },
  { step: 'fix--2', at, patch: patch('x'.repeat(80), '你好') },
];
const plain = (_color: string, text: string): string => text;

function shown(stdout: { isTTY?: boolean; columns?: number }, list = diffs): string[] {
  const world = { stdout: { write: () => undefined, ...stdout }, env: {} } as unknown as World;
  return diffLines(list, world, plain);
}

it('two changes stand side by side on a wide terminal, each cut to its half', () => {
  const lines = shown({ isTTY: true, columns: 101 });
  expect(lines[0]).toBe(`== fix, ${at}${' '.repeat(21)} │ == fix--2, ${at}`);
  expect(lines[4]).toBe(`-你好${' '.repeat(44)} │ -${'x'.repeat(47)}…`);
  expect(lines[5]).toBe(`+\\e[2Jlong day${' '.repeat(35)} │ +你好`);
  expect(lines).toHaveLength(6);
});

it('one below the other on a narrow one, and in a pipe', () => {
  for (const stdout of [{ isTTY: true, columns: 80 }, {}]) {
    const lines = shown(stdout);
    expect(lines).toHaveLength(12);
    expect(lines[6]).toBe(`  == fix--2, ${at}`);
  }
});

it('what changed nothing, and what is not kept, is said to be so', () => {
  const nothing: StepDiff[] = [
    { step: 'a', at, patch: '' },
    { step: 'b', at, patch: '', partial: true },
  ];
  expect(shown({}, nothing)).toEqual([
    `  == a, ${at}`,
    '  nothing changed',
    `  == b, ${at}`,
    '  it is not kept',
  ]);
  expect(shown({}, [])).toEqual(['  nothing is kept of them']);
});
