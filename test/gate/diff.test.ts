import { describe, expect, it } from 'vitest';
import { diffIn } from '../../src/gate/diff.ts';

const one = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n';
const two = 'diff --git a/y b/z\nsimilarity index 100%\nrename from y\nrename to z\n';
const binary =
  'diff --git a/p b/p\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZQzWMKdR0ssI2\n\nliteral 0\nHcmV?d00001\n';

describe('the diff in an answer', () => {
  it('is in one fence, or in several, which are joined', () => {
    expect(diffIn(`Here:\n\n\`\`\`diff\n${one}\`\`\`\nand\n~~~patch title\n${two}~~~\nDone.`)).toBe(
      one + two,
    );
  });

  it('is in a list item', () => {
    const indented = one.replaceAll(/^/gm, '   ').trimEnd();
    expect(diffIn(`1. it:\n\n   \`\`\`diff\n${indented}\n   \`\`\`\n2. done`)).toBe(one);
  });

  it('stands there without a fence, between sentences', () => {
    expect(diffIn(`I did this.\n\n${one}\nThat is all.\n`)).toBe(one);
    expect(diffIn(`I did this.\n\n${two}${binary}\nThat is all.\n`)).toBe(two + binary);
  });

  it('may have a line that looks like the end of its fence', () => {
    const markdown = '--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n ```\n-a\n+b\n ```\n';
    expect(diffIn(`\`\`\`diff\n${markdown}\`\`\`\n`)).toBe(markdown);
  });

  it('is none in a quote, in another fence, in a rule or a list', () => {
    const quote = one.replaceAll(/^/gm, '> ');
    for (const text of [
      quote,
      `\`\`\`text\n${one}\`\`\``,
      '--- \n+++ \n',
      '---\n\n- a\n+ b\n',
      '```diff\n```',
    ])
      expect(diffIn(text)).toBeUndefined();
  });

  it('answers soon, whatever the text is', () => {
    for (const text of ['```diff\n'.repeat(1e5), `${'`'.repeat(1e6)}a\``, '--- a\n'.repeat(1e5)])
      expect(() => diffIn(text)).not.toThrow();
  });
});
