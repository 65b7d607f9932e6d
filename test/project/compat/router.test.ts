import { describe, expect, it } from 'vitest';
import { at, compatBoard } from '../../support/compat.ts';

const sendKeys = ['ok', 'dryRun', 'payload', 'queued', 'reason'];
const keysOf = (value: object) => Object.keys(value).filter((key) => key !== 'code');

describe('orchestrator-router', { timeout: 60_000 }, () => {
  it('answers the commands of the board with their envelope', async () => {
    const { route, tasks } = compatBoard();
    const made = await route('@orchestrator create task: 修复登录', '--group-id', 'oc_1');
    expect(keysOf(made)).toEqual(['ok', 'handled', 'intent', 'acceptance', 'apply', 'publish']);
    expect(made).toMatchObject({
      code: 0,
      ok: true,
      handled: true,
      intent: 'board_cmd',
      acceptance: null,
      apply: { ok: true, intent: 'create_task', taskId: 'T-001', assigneeHint: 'orchestrator' },
    });
    expect(keysOf(made['publish'] as object)).toEqual(['ok', 'count', 'results']);
    const { message, send } = at(made, 'publish.results.0') as { message: object; send: { payload: object } };
    const text = '[TASK] T-001 | 状态=待处理 | 建议负责人=orchestrator\n标题: 修复登录';
    expect(message).toEqual({ prefix: '[TASK]', taskId: 'T-001', text });
    expect(keysOf(send)).toEqual(sendKeys);
    const to = { channel: 'feishu', accountId: 'orchestrator', target: 'chat:oc_1' };
    expect(send.payload).toEqual({ ...to, text, mode: 'send' });

    const claimed = await route('claim T-001', '--actor', 'coder');
    const claim = { ok: true, intent: 'claim_task', taskId: 'T-001', owner: 'coder', status: 'claimed' };
    expect(claimed['apply']).toEqual(claim);
    const refused = await route('mark done T-001: looks fine', '--actor', 'coder');
    expect(refused).toMatchObject({
      code: 0,
      acceptance: { ok: false, reasonCode: 'missing_evidence' },
      apply: { ok: true, intent: 'block_task', taskId: 'T-001', status: 'blocked' },
    });
    await route('claim T-001', '--actor', 'coder');
    const done = await route('done T-001: all tests pass, see out/test.log', '--actor', 'coder');
    expect(done['apply']).toEqual({ ok: true, intent: 'mark_done', taskId: 'T-001', status: 'done' });
    expect(done['acceptance']).toMatchObject({ ok: true, reasonCode: 'accepted' });
    await route('create task: other');
    expect((await route('escalate T-002: no disk'))['apply']).toEqual({
      ok: true,
      intent: 'escalate_task',
      taskId: 'T-002',
      status: 'blocked',
      diagTaskId: 'T-003',
      diagAssigneeHint: 'debugger',
    });
    expect((await route('block task T-003: later'))['apply']).toEqual({
      ok: true,
      intent: 'block_task',
      taskId: 'T-003',
      status: 'blocked',
    });
    expect(Object.keys(tasks())).toEqual(['T-001', 'T-002', 'T-003']);
  });

  it('says no with ok false, an error and exit code 1, and never with nothing', async () => {
    const { route } = compatBoard();
    await route('create task T-001: one');
    expect(await route('create task T-001: again')).toMatchObject({
      code: 1,
      ok: false,
      handled: true,
      apply: { ok: false, error: 'task exists: T-001' },
    });
    expect(await route('claim T-777')).toMatchObject({ code: 1, apply: { error: 'task not found: T-777' } });
    const illegal = { code: 1, apply: { error: 'invalid transition: pending -> done' } };
    expect(await route('mark done T-001: all tests pass, see a.log')).toMatchObject(illegal);
    expect(await route('@coder claim task T-777')).toEqual({
      code: 1,
      ok: false,
      error: 'task not found: T-777',
      reasonCode: 'not_found',
    });
    expect(await route('@coder mark done T-001: tests pass, see a.log')).toMatchObject({ ok: false });
    expect(await route('@orchestrator dispatch T-777 coder')).toMatchObject({
      code: 1,
      error: 'task not found: T-777',
    });
    expect(await route('make me a sandwich')).toMatchObject({ code: 1, ok: false, handled: false });
    expect(await route('dispatch T-001 coder', '--actor', 'ann')).toMatchObject({
      code: 1,
      error: 'dispatch is restricted to actor=orchestrator',
    });
  });

  it("prints the board's own answer for a text to another agent", async () => {
    const { route, run, root, tasks } = compatBoard();
    expect(await route('@debugger create task T-900: stale locks', '--actor', 'ann')).toEqual({
      code: 0,
      ok: true,
      intent: 'create_task',
      taskId: 'T-900',
      assigneeHint: 'debugger',
    });
    expect(tasks()['T-900']).toMatchObject({ createdBy: 'ann', assigneeHint: 'debugger' });
    const argv = ['--root', root, '--text', '@ann claim task T-900', '--milestones', 'dry-run'];
    const skipped = await run('orchestrator-router', [...argv, '--actor', 'broadcaster']);
    expect(skipped.stderr).toContain('"reason": "actor not allowed to broadcast: broadcaster"');
    const plain = ['create task B-1: x', '--actor', 'broadcaster', '--group-id', 'g'] as const;
    expect((await route(...plain))['publish']).toMatchObject({
      skipped: true,
      reason: 'actor not allowed to broadcast: broadcaster',
    });
    const told = await run('orchestrator-router', [...argv, '--actor', 'broadcaster', '--allow-broadcaster']);
    expect(told.stderr).toMatch(
      /^\{"ok": true, "count": 1, "results": \[\{"message": \{"prefix": "\[CLAIM\]"/,
    );
    expect(JSON.parse(told.stdout)).toMatchObject({ owner: 'ann', status: 'claimed' });
    expect(tasks()['T-900']).toMatchObject({ status: 'pending' });
  });

  it('shows status, help, synthesis and reports', async () => {
    const { route } = compatBoard();
    await route('create task: one');
    const status = await route('@orchestrator 项目状态');
    expect(keysOf(status)).toEqual(['ok', 'handled', 'intent', 'full', 'counts', 'send']);
    expect(status).toMatchObject({ intent: 'status', full: false, counts: { pending: 1 } });
    expect(at(status, 'send.payload.text')).toMatch(/^\[TASK\] 看板汇总 \| 总数1 \| 待处理1\n/);
    expect(await route('status full')).toMatchObject({ full: true });
    expect(keysOf(await route('status T-001'))).toEqual(['ok', 'handled', 'intent', 'send']);
    const unknown = await route('status T-9');
    expect([unknown['code'], at(unknown, 'send.payload.text')]).toEqual([0, '[TASK] 未找到任务 T-9']);
    const help = await route('帮助');
    expect(help).toMatchObject({
      intent: 'help',
      send: { payload: { text: expect.stringContaining('开始项目') } },
    });
    const synthesis = await route('synthesize');
    expect(keysOf(synthesis)).toEqual(['ok', 'handled', 'intent', 'apply', 'send']);
    expect(synthesis['apply']).toMatchObject({ ok: true, intent: 'synthesize' });
    await route('claim T-001', '--actor', 'coder');
    const report = await route('@orchestrator T-001 is blocked: no key', '--actor', 'coder');
    expect(keysOf(report)).toEqual(['ok', 'handled', 'intent', 'kind', 'apply', 'publish']);
    expect(report).toMatchObject({ intent: 'wakeup', kind: 'blocked', apply: { intent: 'block_task' } });
    await route('claim T-001', '--actor', 'coder');
    const done = await route(
      '@orchestrator T-001 已完成，全部测试通过，日志: out/test.log',
      '--actor',
      'coder',
    );
    expect(done).toMatchObject({ kind: 'done', verify: 'acceptance-policy', apply: { status: 'done' } });
    expect(await route('[DONE] T-001 x', '--actor', 'coder')).toEqual({
      code: 0,
      ok: true,
      handled: true,
      intent: 'ignored_loop',
    });
    expect(await route('run T-001')).toMatchObject({ intent: 'run', taskId: 'T-001', idempotent: true });
    expect(keysOf(await route('run'))).toEqual(['ok', 'handled', 'intent', 'send']);
  });

  it('changes nothing in a dry run, and sends nothing with off', async () => {
    const { route, read, root, run } = compatBoard();
    await route('create task: one');
    const before = read('state/tasks.jsonl');
    const dry = await route('create task: two', '--milestones', 'dry-run');
    expect(dry['apply']).toMatchObject({ taskId: 'T-002' });
    expect(at(dry, 'publish.results.0.send')).toMatchObject({ dryRun: true, queued: false });
    expect(await route('run', '--milestones', 'dry-run')).toMatchObject({ taskId: 'T-001', ok: true });
    expect(read('state/tasks.jsonl')).toBe(before);
    const off = await route('status', '--milestones', 'off');
    expect(off['send']).toMatchObject({ queued: false, reason: 'mode=off', payload: { mode: 'off' } });
    expect(await route('dispatch T-001 coder', '--milestones', 'off')).toMatchObject({ ok: true });
    expect(await run('orchestrator-router', ['--text', 'status'])).toEqual({
      code: 2,
      stdout: '',
      stderr: '--root is required in apply mode\n',
    });
    expect((await run('orchestrator-router', ['--root', root])).code).toBe(2);
  });

  it.each([
    [
      '@debugger create task T-900: look',
      { intent: 'create_task', overrideAgent: 'debugger', taskId: 'T-900', title: 'look' },
    ],
    ['create task: look', { intent: 'create_task', overrideAgent: null, taskId: null, title: 'look' }],
    ['mark done T-1', { intent: 'mark_done', overrideAgent: null, result: '', taskId: 'T-1' }],
    ['status', { intent: 'status', overrideAgent: null, taskId: null }],
    ['fly', { intent: 'unknown', overrideAgent: null, raw: 'fly' }],
  ])('--mode route of %j', async (text, route) => {
    const { json } = compatBoard();
    const found = await json('orchestrator-router', ['--mode', 'route', '--text', text, '--actor', 'ann']);
    expect(found).toMatchObject({ code: 0, ...route, actor: 'ann' });
    expect(found).toEqual({
      ...found,
      ...(await json('task_board', ['route', '--text', text, '--actor', 'ann'])),
    });
  });
});
