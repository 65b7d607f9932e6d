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
  [
    'the values that an assertion announces',
    `${failed}\n> test\n> node test.js\n\nnode:assert:90\nAssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n3 !== 4\n\n  at a`,
    `${failed} AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 3 !== 4`,
  ],
  ['not the banner of npm', `${failed}\n> test\n> sh test.sh\n\n2 is not 3`, `${failed} 2 is not 3`],
  ['else the first one', `${failed}\n  2 is not 3\nat a`, `${failed} 2 is not 3`],
  ['no colon without anything below', `${failed}\n\n`, failed.slice(0, -1)],
  ['without the hint', `${failed}\nSee docket evidence a; when it is seen to: x`, failed.slice(0, -1)],
  ['nothing', '', ''],
])('%s', (_, text, line) => {
  expect(tellingLine(text)).toBe(line);
});
