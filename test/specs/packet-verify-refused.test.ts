import { expect, it } from 'vitest';
import type { Progress } from '../../src/engine/progress.ts';
import { PacketProject } from '../support/packet-project.ts';

const secret = `sk-${'a1B2'.repeat(8)}`;

it('shows what the command printed that did not pass, and lets the agent try again', async () => {
  const project = await PacketProject.with('safe_impl', {}, { commands: ['seq 1 30; cat leak.txt; exit 3'] });
  project.put('leak.txt', `the key is ${secret}\n`);
  project.git('add', '.');
  const told: Progress[] = [];
  const ran = await project.run({ onProgress: (progress) => told.push(progress) });
  const why = 'seq 1 30; cat leak.txt; exit 3: exit code 3';
  expect(ran).toMatchObject({ status: 'failed', makeAnewFrom: 'codex_impl' });
  expect(ran.stages[2]).toMatchObject({ state: 'failed', reasons: [why] });
  const tail = [...Array.from({ length: 19 }, (_, n) => String(n + 12)), 'the key is [REDACTED_API_KEY]'];
  const file = '.tmp/task/p-1/outputs/codex_verify.artifact.md';
  expect(told.at(-2)).toMatchObject({ kind: 'stepped', step: 'codex_verify', exitCode: 0, tail, file });
  const summary = project.text('outputs/_summary.md');
  expect(summary).toContain('- what the commands printed is in outputs/codex_verify.artifact.md\n');
  expect(summary).toContain('output of the command that failed, 31 lines:\n');
  expect(summary).toMatch(/^ {4}30\n {4}the key is \[REDACTED_API_KEY\]$/m);
  expect(summary).toMatch(
    /^next_action: docket packet resume p-1 .*, or docket packet run p-1 --from codex_impl \(the/m,
  );
  expect(summary.split(why)).toHaveLength(2);
  expect(summary).not.toContain(secret);
  const canceled = await (await project.packets()).cancel('p-1', {});
  expect(canceled).not.toHaveProperty('makeAnewFrom');
});

it('does not call a gate passed that was never reached', async () => {
  const project = await PacketProject.with('codex_only', {
    codex_review: [{ fail: 'unexpected status 401 Unauthorized: nobody is logged in', exit: 1 }],
  });
  expect(await project.run()).not.toHaveProperty('makeAnewFrom');
  expect(project.text('outputs/_summary.md')).toContain('| gate: not reached\n');
  expect(project.data('state/last_failure.json')).toMatchObject({ gate_result: 'pass' });
});
