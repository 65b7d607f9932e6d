import { expect, test } from 'vitest';
import { tellingLine } from '../../src/render/telling.ts';

const failed = '`node test.js` ended with exit code 1 (ev-1):';

test.each([
  ['one line is itself', 'no wood', 'no wood'],
  ['what announces nothing is enough', 'no wood\nin the yard', 'no wood'],
  [
    'the line that says most',
    `${failed}\n\nnode:assert:90\nthrow new AssertionError(obj);\nError [E]: 2 is not 3\n`,
    `${failed} Error [E]: 2 is not 3`,
  ],
  ['else the first one', `${failed}\n  2 is not 3\nat a`, `${failed} 2 is not 3`],
  ['no colon without anything below', `${failed}\n\n`, failed.slice(0, -1)],
  ['without the hint', `${failed}\nSee docket evidence a; when it is seen to: x`, failed.slice(0, -1)],
  ['nothing', '', ''],
])('%s', (_, text, line) => {
  expect(tellingLine(text)).toBe(line);
});
