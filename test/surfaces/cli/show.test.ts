import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { withNoted } from '../../../src/kinds/queue/format/record.ts';
import { attemptFolder, begun, claimed, happened, round, workStep } from '../../support/queue-history.ts';
import { add, openStore, scratch } from '../../support/scratch.ts';
import { answerIn, inFolder } from './real-world.ts';

/** A task that went through plan and implement, and failed there. */
async function failed(): Promise<string> {
  const root = scratch();
  const store = await openStore(root);
  await add(store, 'fix');
  const claim = await claimed(store, 'fix');
  const usage = { input: 1000, cached: 200, output: 50, cost: 0.5 };
  const chose = { rule: 0, text: 'The plan is ready', by: 'tag' } as const;
  await happened(
    store,
    claim,
    round(1, workStep('plan')),
    begun('plan', 1),
    { type: 'end', step: 'plan', n: 1, outcome: 'ok', usage },
    { type: 'finish', step: 'plan', state: 'done', chose },
    round(2, workStep('implement')),
    begun('implement', 1),
    { type: 'end', step: 'implement', n: 1, outcome: 'failed', usage },
    { type: 'finish', step: 'implement', state: 'failed', reason: 'the \u001B[31mtests\u001B[0m fail' },
    {
      type: 'edit',
      set: {
        extras: withNoted(claim.task.extras, {
          branch: 'takt/fix',
          base: 'main',
          workspace: '/elsewhere/fix',
          commit: 'abc1234',
          prUrl: 'https://example.test/pr/1',
          runSlug: 'fix',
        }),
      },
    },
    { type: 'fail', failure: { step: 'implement', error: 'tests fail' } },
  );
  await claim.release();
  const reports = path.join(root, '.takt/runs/fix/reports');
  fs.mkdirSync(reports, { recursive: true });
  fs.writeFileSync(path.join(reports, '00-plan.md'), '# Plan');
  attemptFolder(root, 'fix', 'plan', 1, { lines: [] });
  return root;
}

describe('docket show', () => {
  it('tells people everything, and what they can do', async () => {
    const { code, stdout, stderr } = await inFolder(await failed(), ['show', 'fix']);
    expect([code, stderr]).toEqual([0, '']);
    for (const line of [
      'status: failed',
      'why: tests fail',
      'workspace: /elsewhere/fix',
      'branch: takt/fix (from main)',
      'commit: abc1234',
      'pull request: https://example.test/pr/1',
      'used: in all 2 calls, 2100 tokens, $1.00 (the last attempt of each step: 2000 in (400 cached), 100 out, $1.0000)',
      'steps: 2 (1 done, 1 failed)',
      '  report    .takt/runs/fix/reports/00-plan.md',
      '  order     .takt/tasks/fix/order.md',
      '  attempts  .docket/queue/attempts/fix',
      '  docket retry fix',
    ])
      expect(stdout.split('\n')).toContain(line);
    expect(stdout).toMatch(/^ {2}plan +done +worker +attempt 1, 0\.0 s, .* +→ The plan is ready \(tag\)$/m);
    // What agents say cannot command the terminal.
    expect(stdout).toContain(String.raw`the \e[31mtests\e[0m fail`);
    expect(stdout).not.toContain('\u001B');
  });

  it('tells scripts the same', async () => {
    expect(await answerIn(await failed(), ['show', 'fix'])).toMatchObject({
      v: 1,
      ok: true,
      id: 'fix',
      status: 'failed',
      name: 'fix',
      noted: { branch: 'takt/fix', commit: 'abc1234' },
      steps: [
        { step: 'plan', state: 'done', agent: 'worker', attempt: 1, chose: { text: 'The plan is ready' } },
        { step: 'implement', state: 'failed', usage: { cost: 0.5 } },
      ],
      actions: expect.arrayContaining(['show', 'logs', 'retry', 'delete']) as string[],
      task: { title: 'Title of fix' },
    });
  });

  it('creates, locks and writes nothing', async () => {
    const root = scratch();
    expect(await inFolder(root, ['show', 'nobody'])).toMatchObject({ code: 3, stdout: '' });
    expect(fs.readdirSync(root)).toEqual([]);
  });
});
