import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeCursor } from '../../../src/project/chat/chat-state.ts';
import { BoardProject, report } from '../../support/board-project.ts';
import { at, compatBoard } from '../../support/compat.ts';

const dispatchKeys =
  'ok handled intent taskId agent dispatchMode visibilityMode claim claimSend taskSend spawn closeApply closePublish workerReport waitForReport autoClose reportTemplate agentPrompt';
const spawnKeys = 'ok decision detail reasonCode command stdout stderr spawnResult normalizedReport';
const reportKeys =
  'taskId agent status summary changes evidence risks nextActions acceptanceText detail structured';
const keysOf = (value: object) =>
  Object.keys(value)
    .filter((key) => key !== 'code')
    .join(' ');
const output = (more: object) =>
  JSON.stringify({ taskId: 'T-001', agent: 'coder', summary: 'built', ...more });
const proof = { status: 'done', evidence: ['npm test: all tests pass, out/test.log'] };

describe('workers, as the original gives tasks to them', { timeout: 60_000 }, () => {
  it('dispatch-task dispatch: by hand', async () => {
    const { json, root, route, tasks } = compatBoard();
    await route('create task: one');
    const argv = ['dispatch', '--root', root, '--task-id', 'T-001', '--agent', 'coder', '--group-id', 'oc_1'];
    expect(await json('dispatch-task', [...argv, '--mode', 'dry-run'])).toMatchObject({ code: 0, ok: true });
    expect(tasks()['T-001']).toMatchObject({ status: 'pending' });
    const given = await json('dispatch-task', [...argv, '--task', 'with a discount']);
    expect(keysOf(given)).toBe(dispatchKeys);
    expect(given).toMatchObject({
      ok: true,
      taskId: 'T-001',
      agent: 'coder',
      dispatchMode: 'manual',
      visibilityMode: 'milestone_only',
      claim: { ok: true, owner: 'coder', status: 'claimed' },
      waitForReport: true,
      autoClose: false,
      reportTemplate: '@orchestrator T-001 已完成，证据: 日志/截图/链接',
    });
    expect(at(given, 'claimSend.payload.text')).toContain('派发模式: 手动协作（等待回报）');
    expect(at(given, 'taskSend.payload')).toMatchObject({
      target: 'chat:oc_1',
      text: expect.stringContaining('with a discount'),
    });
    expect(given['agentPrompt']).toContain('with a discount');
    expect(await json('dispatch-task', [...argv, '--actor', 'ann'])).toMatchObject({
      code: 1,
      error: 'dispatch is restricted to actor=orchestrator',
    });
    const other = [...argv.slice(0, 5), '--agent', 'debugger'];
    expect(await json('dispatch-task', other)).toMatchObject({
      code: 1,
      error: 'failed to claim task: T-001',
      claim: { ok: false, error: 'task held: T-001 by coder' },
    });
  });

  it.each([
    ['done', output(proof), 'done', 'mark_done', 'done_with_evidence'],
    ['without proof', output({ status: 'done' }), 'blocked', 'block_task', 'incomplete_output'],
    [
      'about another task',
      output({ ...proof, taskId: 'T-999' }),
      'blocked',
      'block_task',
      'invalid_spawn_output',
    ],
    ['no JSON', 'all done', 'blocked', 'block_task', 'invalid_spawn_output'],
  ])('milestones dispatch --spawn-output: %s', async (_, text, status, intent, reasonCode) => {
    const { json, root, route, tasks } = compatBoard();
    await route('create task: one');
    const argv = [
      '--root',
      root,
      '--task-id',
      'T-001',
      '--agent',
      'coder',
      '--spawn',
      '--spawn-output',
      text,
    ];
    const given = await json('milestones', ['dispatch', ...argv]);
    expect(keysOf(given)).toBe(dispatchKeys);
    expect(given).toMatchObject({
      code: 0,
      dispatchMode: 'spawn',
      spawn: { ok: status === 'done', decision: status, reasonCode, stdout: text },
      closeApply: { ok: true, intent, status },
      closePublish: {
        count: 1,
        results: [{ message: { prefix: status === 'done' ? '[DONE]' : '[BLOCKED]' } }],
      },
      autoClose: true,
    });
    // What was sent, not what the task has become since.
    expect(given).toMatchObject({ claim: { status: 'claimed', owner: 'coder' }, workerReport: { ok: true } });
    expect(given['agentPrompt']).toContain('"currentStatus":"claimed"');
    expect(given['agentPrompt']).toContain('"status": "done|blocked|progress"');
    expect(given['agentPrompt']).not.toMatch(/task_done|task_blocked/);
    expect(keysOf(given['spawn'] as object)).toBe(spawnKeys);
    expect(keysOf(at(given, 'spawn.normalizedReport') as object)).toBe(reportKeys);
    expect(at(tasks(), 'T-001.status')).toBe(status);
  });

  it.each([
    ['{}', '子代理未给出完成信号'],
    ['{"foo": 1}', '子代理未给出完成信号'],
    ['{"status": "blocked", "taskId": "T-001"}', '子代理返回阻塞，未说明原因'],
    ['{"summary": "I looked at it"}', 'I looked at it | 子代理未给出完成信号'],
  ])('a block always has a sentence: %s', async (text, reason) => {
    const { json, root, route, tasks } = compatBoard();
    await route('create task: one');
    const about = ['--root', root, '--task-id', 'T-001', '--agent', 'coder'];
    await json('milestones', ['dispatch', ...about, '--spawn', '--spawn-output', text]);
    expect(tasks()['T-001']).toMatchObject({ status: 'blocked', blockedReason: reason });
  });

  it('milestones dispatch --spawn-cmd: a title is a word, never a command', async () => {
    const { json, root, route, tasks, read } = compatBoard();
    await route(`create task: '; touch pwned; echo "$(touch pwned)`);
    const script = path.join(root, 'worker.sh');
    const lines = ['#!/bin/sh', 'printf "%s|%s" "$#" "$2" > argv', `cat answer.json`];
    fs.writeFileSync(script, lines.join('\n'), { mode: 0o755 });
    fs.writeFileSync(path.join(root, 'answer.json'), output(proof));
    const argv = ['--root', root, '--task-id', 'T-001', '--agent', 'coder', '--spawn'];
    const command = `'${script}' --message {task} --agent={agent}`;
    expect(await json('milestones', ['dispatch', ...argv, '--spawn-cmd', command])).toMatchObject({
      spawn: {
        decision: 'done',
        command: [script, '--message', expect.stringContaining('SYSTEM_ROLE'), '--agent=coder'],
        spawnResult: { status: 'done' },
        normalizedReport: { status: 'done', evidence: proof.evidence, structured: true },
      },
    });
    expect(read('argv')).toMatch(/^3\|SYSTEM_ROLE: /);
    expect(read('argv')).toContain('touch pwned');
    expect(fs.existsSync(path.join(root, 'pwned'))).toBe(false);
    expect(at(tasks(), 'T-001.status')).toBe('done');
    await route('create task: two');
    const failing = [...argv.map((word) => word.replace('T-001', 'T-002')), '--spawn-cmd', 'false'];
    expect(await json('milestones', ['dispatch', ...failing])).toMatchObject({
      spawn: { decision: 'blocked' },
    });
  });

  it('milestones autopilot: by hand each once; with an output each to its end', async () => {
    const { json, root, route, tasks } = compatBoard();
    for (const title of ['one', 'two', 'three']) await route(`create task: ${title}`);
    const byHand = await json('milestones', ['autopilot', '--root', root, '--no-spawn', '--max-steps', '2']);
    expect(keysOf(byHand)).toBe(
      'ok handled intent maxSteps stepsRun summary stopReason visibilityMode steps',
    );
    expect(byHand).toMatchObject({
      maxSteps: 2,
      stepsRun: 2,
      summary: { done: 0, blocked: 0, manual: 2 },
      stopReason: 'max_steps_reached',
      steps: [
        { index: 1, taskId: 'T-001', dispatch: { dispatchMode: 'manual' } },
        { index: 2, taskId: 'T-002' },
      ],
    });
    const said = JSON.stringify({ ...proof, summary: 'built' });
    expect(await json('milestones', ['autopilot', '--root', root, '--spawn-output', said])).toMatchObject({
      stepsRun: 1,
      summary: { done: 1, blocked: 0, manual: 0 },
      stopReason: 'no_runnable_task',
    });
    expect(at(tasks(), 'T-003.status')).toBe('done');
  });

  it("starts docket's own worker for 开始项目, and only once makes its tasks", async () => {
    const { root } = new BoardProject(report());
    const { route, write, tasks } = compatBoard(root);
    write('shop/README.md', '# Shop\n\n## Milestones\n- build the cart\n- test the cart\n');
    const started = await route(`@orchestrator 开始项目 ${path.join(root, 'shop')}`);
    expect(keysOf(started)).toBe(
      'ok handled intent projectPath projectName projectDoc createdCount createdTaskIds created bootstrap ack',
    );
    expect(started).toMatchObject({
      ok: true,
      projectName: 'Shop',
      projectDoc: expect.stringContaining('README.md'),
      createdCount: 2,
      createdTaskIds: ['T-001', 'T-002'],
      created: [{ apply: { ok: true, taskId: 'T-001' } }, { publish: { count: 1 } }],
      bootstrap: {
        taskId: 'T-001',
        dispatchMode: 'spawn',
        spawn: { decision: 'done', reasonCode: 'done_with_evidence', command: [expect.any(String)] },
        workerReport: { ok: true, skipped: true },
      },
    });
    expect(at(started, 'bootstrap.claimSend.payload.text')).toContain('[CLAIM] T-001');
    const again = await route(`开始项目 ${path.join(root, 'shop')}`);
    expect(again).toMatchObject({ createdCount: 0, again: true, bootstrap: { taskId: 'T-002' } });
    expect(Object.values(tasks()).map(({ status }) => status)).toEqual(['done', 'done']);
    expect(await route('开始项目 /no/such/folder')).toMatchObject({ code: 0, intent: 'start_project' });
  });

  it("milestones autopilot: a step of docket's own worker is a whole dispatch, and tells of a second try", async () => {
    const { root } = new BoardProject(
      `[ "$DOCKET_ATTEMPT" = 1 ] && ${report({ evidence: [], summary: 'finished' })} || ${report()}`,
    );
    const { route, json } = compatBoard(root);
    await route('create task: one');
    const ran = await json('milestones', ['autopilot', '--root', root, '--max-steps', '1']);
    expect(keysOf(at(ran, 'steps.0.dispatch') as object)).toBe(dispatchKeys);
    expect(at(ran, 'steps.0.dispatch')).toMatchObject({
      claimSend: { payload: { text: expect.stringContaining('[CLAIM] T-001 | 状态=已认领') } },
      closePublish: { count: 1 },
      spawn: { decision: 'done', reasonCode: 'done_with_evidence', retried: true },
    });
  });

  it('milestones feishu-router passes on what is not for it', async () => {
    const { json, root, route, tasks } = compatBoard();
    await route('create task: one');
    const hear = (text: string, ...more: string[]) =>
      json('milestones', [
        'feishu-router',
        '--root',
        root,
        '--actor',
        'orchestrator',
        '--text',
        text,
        ...more,
      ]);
    const passed = { code: 0, ok: true, handled: false, intent: 'pass-through' };
    expect(await hear('@coder claim task T-001')).toEqual(passed);
    expect(await hear('good morning')).toEqual(passed);
    expect(at(tasks(), 'T-001.status')).toBe('pending');
    expect(await hear('run T-001', '--dispatch-spawn', '--spawn-output', output(proof))).toMatchObject({
      dispatchMode: 'spawn',
      closeApply: { status: 'done' },
    });
    expect(await hear('自动推进 开 3', '--dispatch-manual')).toMatchObject({
      intent: 'auto_progress',
      state: { enabled: true, maxSteps: 3 },
      autopilot: { stepsRun: 0 },
    });
    expect(await hear('自动推进 关')).toMatchObject({ state: { enabled: false } });
  });

  it('clarify: 180 s by dispatch-task, 300 s by the router, and --force', async () => {
    const { json, root, route } = compatBoard();
    const ask = (...more: string[]) =>
      json('dispatch-task', ['clarify', '--root', root, '--task-id', 'T-1', '--question', 'which?', ...more]);
    expect(await ask('--role', 'king')).toMatchObject({
      code: 1,
      error: expect.stringContaining('unsupported role: king'),
    });
    expect(await ask('--role', 'coder', '--actor', 'ann')).toMatchObject({
      error: 'clarify is restricted to actor=orchestrator',
    });
    // Without a chat nobody gets the question, and it starts no cooldown.
    for (let n = 0; n < 2; n += 1)
      expect(await ask('--role', 'coder', '--group-id', 'oc_1')).toMatchObject({
        code: 0,
        send: { queued: false, reason: 'no chat' },
      });
    expect(fs.existsSync(path.join(root, 'state/clarify.cooldown.json'))).toBe(false);
    writeCursor(root, { seq: 0, group: 'oc_1' });
    const asked = await ask('--role', 'coder', '--group-id', 'oc_1');
    expect(keysOf(asked)).toBe('ok send throttleKey globalThrottleKey');
    expect(asked).toMatchObject({ code: 0, throttleKey: 'oc_1:coder', globalThrottleKey: 'oc_1:*' });
    expect(at(asked, 'send.payload.text')).toMatch(
      /^\[TASK\] T-1 \| 状态=澄清 \| 目标角色=coder\n问题: which\?/,
    );
    const early = await ask('--role', 'debugger', '--group-id', 'oc_1');
    expect(keysOf(early)).toBe('ok throttled retryAfterSec lastAt globalLastAt');
    expect(early).toMatchObject({
      code: 1,
      throttled: true,
      lastAt: null,
      globalLastAt: expect.stringMatching(/Z$/),
    });
    expect(early['retryAfterSec']).toBeLessThanOrEqual(180);
    const routed = await route(
      '@orchestrator clarify T-1 coder: which?',
      '--group-id',
      'oc_1',
      '--actor',
      'ann',
    );
    expect(routed['retryAfterSec']).toBeGreaterThan(180);
    expect(await ask('--role', 'coder', '--group-id', 'oc_1', '--force')).toMatchObject({
      code: 0,
      ok: true,
    });
    expect(await ask('--role', 'coder', '--group-id', 'oc_2', '--mode', 'dry-run')).toMatchObject({
      code: 0,
    });
    expect(await ask('--role', 'coder', '--group-id', 'oc_2')).toMatchObject({ code: 0 });
  });
});
