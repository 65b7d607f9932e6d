import { expect, it } from 'vitest';
import { claimsInAnswer } from '../../src/gate/contracts.ts';

const none = { saysChanged: false, changed: [], files: [], commands: [] };

it('finds in an account of work what was changed, and what was run', async () => {
  const text = [
    '- src/before.ts: stands below no heading',
    '## Changes',
    '- `src/a.ts`: mended',
    '2. src/b.ts: new',
    '- docs/guide.md: not changed',
    '```',
    '- src/quoted.ts: an example',
    '```',
    '## Checks',
    '- `npm test`: exit code 0, 12 tests',
    '- `npm run lint` → passed',
    '- `npm run e2e`: exit 1, there is no browser',
    '- `npm run slow` was not run; it passed yesterday',
    '- the page looks right: exit 0',
    '## What is left',
    '- src/c.ts: has to be written',
  ].join('\n');
  expect(await claimsInAnswer('impl', text)).toEqual({
    ...none,
    changed: ['src/a.ts', 'src/b.ts'],
    commands: ['npm test', 'npm run lint'],
  });
});

it('finds in a verification what it ran and mended', async () => {
  const text = [
    '## Verify Results',
    '- `npm test` — exit 1: two fail',
    '- `npm run build` — exit code: 0',
    '## Status\nPASS',
    '## Fix Applied\n- src/a.ts: off by one\n- No fix required.',
    '## Re-verify Results\n- `npm test` — exit `0`',
  ].join('\n');
  expect(await claimsInAnswer('verify', text)).toEqual({
    ...none,
    changed: ['src/a.ts'],
    commands: ['npm run build', 'npm test'],
  });
});

it.each(['review', 'test_design', 'test_impl', 'runbook', 'brief', 'static_verify', 'constructor'])(
  'takes nothing of %s for a claim: it plans, finds or proposes',
  async (role) => {
    const text = '## Changes\n- src/a.ts: new\n## Commands\n- `npm test`: exit 0\n';
    expect(await claimsInAnswer(role, text)).toEqual(none);
  },
);
