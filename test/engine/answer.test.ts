import { expect, it } from 'vitest';
import { answerOf } from '../../src/engine/contract.ts';

it.each([
  ['progress 1\nprogress 2\n\nI added n.txt.\n', 'I added n.txt.'],
  ['I added n.txt.', 'I added n.txt.'],
  ['\n \n', 'the agent exited 0 without a report'],
  [`x${'y'.repeat(3000)}`, `…${'y'.repeat(1999)}`],
])('the summary of a plain program is its last line: %j', (text, summary) => {
  expect(answerOf({ text } as Parameters<typeof answerOf>[0], true)).toMatchObject({
    report: { status: 'success', summary },
  });
});
