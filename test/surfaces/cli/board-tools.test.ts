import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { boardMail } from '../../../src/kinds/board/outbox.ts';
import { writeCursor } from '../../../src/project/chat/chat-state.ts';
import { scratch } from '../../support/scratch.ts';
import { answerIn, inFolder } from './real-world.ts';

const line = async (root: string, ...argv: string[]) => {
  const { code, stdout, stderr } = await inFolder(root, argv);
  return { code, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
};

describe('docket board', { timeout: 60_000 }, () => {
  it('init says what it makes', async () => {
    const root = scratch();
    fs.mkdirSync(path.join(root, '.git'));
    const dry = await line(root, 'board', 'init', '--settings', '--dry-run');
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('state/tasks.jsonl: would be made'),
    });
    expect(fs.readdirSync(root)).toEqual(['.git']);
    const { stdout, stderr } = await line(root, 'board', 'init');
    expect(stdout.split('\n')).toEqual([
      'state/tasks.jsonl: made',
      'state/tasks.snapshot.json: made',
      'config/acceptance-policy.json: not found; using defaults',
      'docs/protocol-config.json: not found; using defaults',
    ]);
    expect(stderr).toBe('To write them: docket board init --settings');
    expect(await answerIn(root, ['board', 'init', '--settings'])).toMatchObject({ ok: true, dryRun: false });
    expect(fs.existsSync(path.join(root, 'docs/protocol-config.json'))).toBe(true);
  });

  it('apply, route and synthesize are the words of the format; exit codes follow the answer', async () => {
    const root = scratch();
    expect(await line(root, 'board', 'apply', 'create task: one', '--locale', 'en')).toMatchObject({
      code: 0,
    });
    expect((await line(root, 'board', 'apply', 'claim T-009')).code).toBe(3);
    expect((await line(root, 'board', 'apply', 'mark done T-001: tests pass, see a.log')).code).toBe(4);
    expect((await line(root, 'board', 'apply', 'sing')).code).toBe(2);
    expect((await line(root, 'board', 'apply')).code).toBe(2);
    await line(root, 'board', 'apply', 'claim T-001', '--as', 'ann');
    const held = await line(root, 'board', 'apply', 'done T-001: fine', '--as', 'ann', '--json');
    expect([held.code, JSON.parse(held.stdout)]).toEqual([5, expect.objectContaining({ ok: false })]);
    const route = await answerIn(root, ['board', 'route', '@debugger', 'create', 'task:', 'look']);
    expect(route).toMatchObject({ ok: true, overrideAgent: 'debugger', intent: { intent: 'create_task' } });
    expect((await line(root, 'board', 'synthesize')).stdout).toContain('- T-001 [blocked]');
  });

  it('dispatch, clarify and autopilot ask without a text', async () => {
    const root = scratch();
    await line(root, 'board', 'apply', 'create task: one');
    const given = await answerIn(root, ['board', 'dispatch', 'T-001', 'coder', 'with', 'care']);
    expect(given).toMatchObject({
      ok: true,
      intent: 'dispatch',
      outcome: { kind: 'dispatched', agent: 'coder' },
    });
    expect((await line(root, 'board', 'dispatch', 'T-009', 'coder')).code).toBe(3);
    expect((await line(root, 'board', 'dispatch', 'T-001', 'coder', '--as', 'ann')).code).toBe(4);
    for (let n = 0; n < 2; n += 1)
      expect((await line(root, 'board', 'clarify', 'T-001', 'coder', 'which', 'one?')).code).toBe(0);
    boardMail(root);
    writeCursor(root, { seq: 0, group: 'oc_1' });
    expect((await line(root, 'board', 'clarify', 'T-001', 'coder', 'which', 'one?')).code).toBe(0);
    const early = await answerIn(root, ['board', 'clarify', 'T-001', 'coder', 'which?']);
    expect(early).toMatchObject({ ok: false, outcome: { kind: 'throttled' } });
    expect((await line(root, 'board', 'clarify', 'T-001', 'coder', 'which?')).code).toBe(75);
    const status = await answerIn(root, ['board', 'autopilot', 'status']);
    expect(status).toMatchObject({
      ok: true,
      outcome: { kind: 'auto_progress', enabled: false, maxSteps: 2 },
    });
    expect((await line(root, 'board', 'autopilot', 'now')).code).toBe(2);
    expect((await line(root, 'board', 'autopilot', '2', '3')).code).toBe(2);
  });

  it('status speaks the language of who asks, and English to all others', async () => {
    const root = scratch();
    await line(root, 'board', 'apply', 'create task: one');
    const status = async (env: Record<string, string>, ...words: string[]) =>
      (await inFolder(root, ['board', 'status', ...words], { env })).stdout.split('\n')[0];
    expect(await status({})).toMatch(/^\[TASK\] [\w :|]+$/);
    expect(await status({ LANG: 'C.UTF-8' })).toBe(await status({}));
    expect(await status({ LANG: 'en_US.UTF-8', LC_ALL: 'zh_CN.UTF-8' })).toContain('看板汇总');
    expect(await status({ LANG: 'zh_CN.UTF-8' }, '--locale', 'en')).toBe(await status({}));
  });

  it('rebuild, compact, unlock and validate tell what they found', async () => {
    const root = scratch();
    await line(root, 'board', 'apply', 'create task: one');
    expect((await line(root, 'board', 'validate')).stderr).toBe('No problems found.');
    expect((await line(root, 'board', 'rebuild', '--dry-run')).stdout).toContain(
      '1 tasks from 1 events; it says the same',
    );
    const file = path.join(root, 'state/tasks.snapshot.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"one"', '"eins"'));
    const wrong = await line(root, 'board', 'validate');
    expect(wrong).toMatchObject({ code: 1, stderr: '1 problem' });
    expect(wrong.stdout).toContain('state/tasks.snapshot.json warning the log says otherwise: T-001');
    expect(await answerIn(root, ['board', 'validate'])).toMatchObject({
      ok: false,
      findings: [{ severity: 'warning' }],
    });
    expect((await line(root, 'board', 'rebuild')).stdout).toContain('said otherwise: T-001');
    expect((await line(root, 'board', 'validate')).code).toBe(0);
    expect((await line(root, 'board', 'compact', '--dry-run')).stdout).toContain(
      'state/archive/000000000000.jsonl',
    );
    expect(await answerIn(root, ['board', 'compact'])).toMatchObject({ ok: true, written: true });
    expect((await line(root, 'board', 'status', 'T-001')).code).toBe(0);
    expect((await line(root, 'board', 'unlock')).stderr).toBe('No lock is stale.');
    fs.writeFileSync(
      path.join(root, 'state/locks/task-board.lock'),
      '{"token":"t","expiresAtTs":2,"owner":"me"}',
    );
    expect(await line(root, 'board', 'unlock', '--dry-run')).toMatchObject({
      code: 0,
      stdout: 'state/locks/task-board.lock: expired (me)',
      stderr: '1 lock would be removed; nothing was changed.',
    });
    expect(await answerIn(root, ['board', 'unlock'])).toMatchObject({
      locks: [{ reason: 'expired' }],
      dryRun: false,
    });
  });
});
