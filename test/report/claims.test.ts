import { expect, it } from 'vitest';
import { claimsIn } from '../../src/report/claims.ts';

it.each([
  ['src/a.ts: fixed', ['src/a.ts']],
  ['- `src/b c.ts`: a name with a space is not looked up', []],
  ['Added `app/[id]/page.tsx` for the route', ['app/[id]/page.tsx']],
  ['Updated ./package.json, and more', ['package.json']],
  ['docs/guide.md#L12 says so now', ['docs/guide.md']],
  ['lib/x.py:10-20', ['lib/x.py']],
  ['Node.js: upgraded to 20', []],
  ['config.timeout: raised', []],
  ['client/server: talk JSON now', []],
  ['Refactored the login.', []],
  ['https://example.com/a.html is linked', []],
  ['src/**/*.ts: formatted', []],
  ['docs/guide.md: unchanged', []],
  ['`docs/guide.md` (no changes were needed)', []],
  ['docs/guide.md was not changed', []],
  ['src/try.ts: made for a try, and removed again', []],
  ['src/a.ts: fixed; docs/guide.md: unchanged', ['src/a.ts']],
  ['src/a.ts: no longer crashes', ['src/a.ts']],
  ['../../etc/passwd.txt: read', ['../../etc/passwd.txt']],
])('finds in %j what is meant to be a file', (line, changed) => {
  expect(claimsIn({ changes: [line] })).toMatchObject({ saysChanged: true, changed });
});

it.each(['None', 'none.', '- No files changed', 'No code changes were necessary.', 'Nothing to change'])(
  'takes %j for no change',
  (line) => expect(claimsIn({ changes: [line] })).toMatchObject({ saysChanged: false, changed: [] }),
);

it('takes files and commands from the evidence, and touched files from the artifacts', () => {
  const report = {
    evidence: [
      { kind: 'file', ref: './out/log.txt:3' },
      { kind: 'file', ref: 'see the logs' },
      { kind: 'command', ref: '`$ npm   test`' },
      'npm run lint',
      7,
    ],
    artifacts: { touchedFiles: ['a/b', null] },
  };
  expect(claimsIn(report)).toEqual({
    saysChanged: false,
    changed: ['a/b'],
    files: ['out/log.txt'],
    commands: ['npm test'],
  });
  expect(claimsIn({ changes: 'x', evidence: {}, artifacts: [] })).toEqual({
    saysChanged: false,
    changed: [],
    files: [],
    commands: [],
  });
});
