import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from '../../src/render/line-diff.ts';

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

it('shows what is other, with what stands around it', () => {
  const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l');
  const after = before.replace('b\n', 'B\nBB\n').replace('k\n', '');
  expect(lineDiff(before, after)).toBe(
    '@@ -1,5 +1,6 @@\n a\n-b\n+B\n+BB\n c\n d\n e\n@@ -8,5 +9,4 @@\n h\n i\n j\n-k\n l',
  );
  expect(lineDiff(before, before)).toBeUndefined();
  expect(lineDiff('', lines('x'))).toBe('@@ -1,0 +1,1 @@\n+x');
});

/** As `patch` would: each hunk in the place that it names. */
function applied(before: string, patch: string): string {
  const old = before.split('\n');
  const made: string[] = [];
  let at = 0;
  for (const line of patch === '' ? [] : patch.split('\n')) {
    const [, start] = /^@@ -(\d+),/.exec(line) ?? [];
    if (start !== undefined) while (at < Number(start) - 1) made.push(old[at++] ?? '');
    else if (line[0] === '+') made.push(line.slice(1));
    else {
      if (old[at] !== line.slice(1)) throw new Error(`line ${at + 1} is ${old[at]}, not ${line}`);
      if (line[0] === ' ') made.push(line.slice(1));
      at += 1;
    }
  }
  return [...made, ...old.slice(at)].join('\n');
}

it('takes every text to every other one', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 24 }).map((all) => lines(...all));
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applied(before, lineDiff(before, after) ?? '')).toBe(after);
    }),
  );
});

it('does not take for ever where nothing is alike', () => {
  const many = (word: string) => lines(...Array.from({ length: 8000 }, (_, n) => `${word} ${n}`));
  expect(lineDiff(many('a'), many('b'))).toContain('@@ -1,8000 +1,8000 @@');
});
