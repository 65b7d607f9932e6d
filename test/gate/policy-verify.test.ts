import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommands } from '../../src/gate/commands.ts';
import { judge, judgeCommands, verifyCommandsOf } from '../../src/gate/policy.ts';
import { policyOf } from '../../src/kinds/board/format/policy-file.ts';

const report = { summary: 'tests: 3 passed', changes: ['src/a.ts: b'], evidence: [] };

/** The whole gate, with commands that are really run. */
async function decide(verifyCommands: string[], signal = new AbortController().signal) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'docket-policy-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const text = JSON.stringify({ roles: { coder: { verifyCommands } } });
  const policy = policyOf([{ file: 'config/acceptance-policy.json', text }]);
  const commands = verifyCommandsOf(policy, 'coder');
  const options = {
    cwd,
    env: process.env,
    dir: path.join(cwd, 'out'),
    timeoutMs: 20_000,
    pass: [],
    outputBytes: 1000,
    signal,
  };
  const results = await runCommands(commands, options);
  return judgeCommands(judge(policy, 'coder', report), commands, results);
}

test('work that its commands prove is accepted', async () => {
  expect(await decide(['true', 'test 1 -eq 1'])).toMatchObject({ ok: true, reasonCode: 'accepted' });
});

test('work that they disprove is not, whatever its report says', async () => {
  const verdict = await decide(['true', 'exit 3']);
  expect(verdict).toMatchObject({ ok: false, reasonCode: 'verify_failed', missing: ['exit 3'] });
  expect(verdict.reason.zh).toBe('验证命令未通过：exit 3 (exit 3)。');
});

test('what was not run because of an abort proves nothing', async () => {
  expect(await decide(['true'], AbortSignal.abort())).toMatchObject({ ok: false, missing: ['true'] });
});
