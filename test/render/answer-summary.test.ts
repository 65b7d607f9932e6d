import { expect, it } from 'vitest';
import { summaryOf } from '../../src/render/answer-summary.ts';

const plan = '<<<report plan.md\n\n## **Plan** for the login\n\n1. Look.\n>>>\n';

it.each([
  ['the last paragraph', 'I looked.\n\nIt works now.\n\n[WORK:1]', 'It works now.'],
  ['the words after a tag', 'I looked.\n\n[REVIEW:1] It is fine.', 'It is fine.'],
  ['the words beside a report', `${plan}\nAll planned. [PLAN:2]\n`, 'All planned.'],
  ['how a report begins, where there is nothing else', `${plan}[PLAN:1]`, 'plan.md: **Plan** for the login'],
  [
    'several reports',
    `${plan}<<<report risks.md\nNone.\n>>>`,
    'plan.md: **Plan** for the login\nrisks.md: None.',
  ],
  ['a report that nobody asked for', '<<<report other.md\nx\n>>>', 'it answered without a word'],
  ['nothing but a tag', '[WORK:1]', 'it answered without a word'],
])('sums up by %s', (_what, answer, summary) => {
  expect(summaryOf(answer, ['plan.md', 'risks.md'])).toBe(summary);
});

it('is short, also for one long line', () => {
  const answer = `<<<report plan.md\n# ${'x'.repeat(100_000)}\n>>>`;
  expect(summaryOf(answer, ['plan.md'])).toHaveLength('plan.md: '.length + 200);
});
