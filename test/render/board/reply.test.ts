import { describe, expect, it } from 'vitest';
import type { Outcome, RefusalCode } from '../../../src/render/board/outcome.ts';
import { replyTo } from '../../../src/render/board/reply.ts';
import type { Locale } from '../../../src/render/board/words.ts';
import { summarise, taskView } from './task-view.ts';

const done = taskView({ status: 'done', owner: 'bob' });
const summary = summarise([done]);

/** The outcome, the answer in Chinese, the answer in English. */
const rows: [Outcome, string, string][] = [
  [
    { kind: 'already', move: 'done', task: done },
    '[DONE] T-001 已完成，无需重复执行',
    '[DONE] T-001 is done already, nothing to repeat',
  ],
  [
    { kind: 'already', move: 'claimed', task: taskView({ owner: 'bob' }) },
    '[CLAIM] T-001 已由 bob 认领，无需重复执行',
    '[CLAIM] T-001 is claimed by bob already, nothing to repeat',
  ],
  [
    { kind: 'already', move: 'blocked', task: taskView({ status: 'blocked' }) },
    '[BLOCKED] T-001 已是“阻塞”，无需重复执行',
    '[BLOCKED] T-001 is blocked already, nothing to repeat',
  ],
  [
    { kind: 'moved', move: 'created', task: taskView() },
    '[TASK] T-001 | 状态=待处理 | 建议负责人=coder\n标题: Fix the login',
    '[TASK] T-001 | status=pending | suggested owner=coder\ntitle: Fix the login',
  ],
  [
    { kind: 'status', summary },
    '[TASK] 看板汇总 | 总数1 | 已完成1\n阻塞Top3: 无\n待推进Top3: 无',
    '[TASK] Board | 1 task | 1 done\nblocked, top 3: none\nto do, top 3: none',
  ],
  [
    { kind: 'status', summary, full: true },
    '[TASK] 看板汇总 | 总数1 | 已完成1\n阻塞Top6: 无\n待推进Top6: 无',
    '[TASK] Board | 1 task | 1 done\nblocked, top 6: none\nto do, top 6: none',
  ],
  [
    { kind: 'task', task: done },
    '[TASK] T-001 | 状态=已完成\n负责人: bob\n标题: Fix the login',
    '[TASK] T-001 | status=done\nowner: bob\ntitle: Fix the login',
  ],
  [
    { kind: 'synthesis', report: 'SYNTHESIS REPORT\n- x' },
    '[TASK] SYNTHESIS REPORT\n- x',
    '[TASK] SYNTHESIS REPORT\n- x',
  ],
  [
    { kind: 'dispatched', task: taskView({ status: 'claimed' }), agent: 'coder', mode: 'manual' },
    '[CLAIM] T-001 | 状态=已认领 | 指派=coder\n标题: Fix the login\n派发模式: 手动协作（等待回报）',
    '[CLAIM] T-001 | status=claimed | assigned to=coder\ntitle: Fix the login\nmode: by hand (waits for a report)',
  ],
  [{ kind: 'nothing_to_run' }, '[TASK] 当前没有可执行任务。', '[TASK] there is nothing to run now.'],
  [
    {
      kind: 'autopilot',
      maxSteps: 3,
      stepsRun: 2,
      done: 1,
      blocked: 1,
      manual: 0,
      stopReason: 'no_runnable_task',
    },
    '[TASK] 自动驾驶结束 | 步数=2/3 | 没有可执行任务\n完成1、阻塞1、待回报0',
    '[TASK] Autopilot ended | steps=2/3 | nothing left to run\n1 done, 1 blocked, 0 waiting for a report',
  ],
  [
    { kind: 'auto_progress', enabled: true, maxSteps: 2 },
    '[TASK] 自动推进已开启 | maxSteps=2',
    '[TASK] auto progress is on | maxSteps=2',
  ],
  [
    { kind: 'auto_progress', enabled: false, maxSteps: 2 },
    '[TASK] 自动推进已关闭 | maxSteps=2',
    '[TASK] auto progress is off | maxSteps=2',
  ],
  [
    { kind: 'project_created', name: 'X', count: 2 },
    '[TASK] 项目已创建: X，共 2 个任务。',
    '[TASK] project created: X, 2 tasks.',
  ],
  [
    { kind: 'project_started', name: 'X', count: 3, document: 'PRD.md' },
    '[TASK] 项目启动完成: X | 新建任务=3\n文档=PRD.md\n发送“项目状态”查看进度，发送“自动推进 开”让它自己往前走',
    '[TASK] project started: X | new tasks=3\ndocument=PRD.md\nsend "status" to see how far it is, "auto progress on" to let it go on by itself',
  ],
  [
    { kind: 'project_started', name: 'X', count: 3, again: true },
    '[TASK] 项目此前已启动: X | 任务=3，未重复创建\n文档=-\n发送“项目状态”查看进度，发送“自动推进 开”让它自己往前走',
    '[TASK] project was started before: X | tasks=3, none made twice\ndocument=-\nsend "status" to see how far it is, "auto progress on" to let it go on by itself',
  ],
  [{ kind: 'bad_path', path: '/x' }, '[TASK] 项目路径不可用: /x', '[TASK] no project folder there: /x'],
  [
    { kind: 'clarified', taskId: 'T-1', role: 'coder', question: 'why?' },
    '[TASK] T-1 | 状态=澄清 | 目标角色=coder\n问题: why?',
    '[TASK] T-1 | status=clarify | role=coder\nquestion: why?',
  ],
  [
    { kind: 'throttled', taskId: 'T-1', role: 'coder', retryAfterSec: 42 },
    '[TASK] T-1 | 澄清过于频繁，请 42 秒后再问 coder',
    '[TASK] T-1 | too many questions at once; coder can be asked in 42 s',
  ],
  [
    { kind: 'report_without_id' },
    '[TASK] 收到汇报，但未识别到任务ID（例如 T-001）。',
    '[TASK] thank you for the report, but it names no task (such as T-001).',
  ],
  [
    { kind: 'unknown', raw: 'clam T-1', suggestion: 'claim task T-1' },
    '[TASK] 没看懂: clam T-1\n是不是想说: claim task T-1\n发送“帮助”查看全部命令；什么都没有改变。',
    '[TASK] not understood: clam T-1\ndid you mean: claim task T-1\nsend "help" for all commands; nothing changed.',
  ],
  [
    { kind: 'unknown', raw: 'hm' },
    '[TASK] 没看懂: hm\n发送“帮助”查看全部命令；什么都没有改变。',
    '[TASK] not understood: hm\nsend "help" for all commands; nothing changed.',
  ],
  [{ kind: 'silent' }, '', ''],
  [
    {
      kind: 'refused',
      code: 'illegal',
      intent: 'claim_task',
      taskId: 'T-1',
      status: 'done',
      allowed: ['reopen_task', 'status'],
    },
    '[TASK] T-1 | 状态=已完成 | 未执行: 认领\n当前状态不允许这样做\n现在可以: 重新打开、状态',
    '[TASK] T-1 | status=done | not done: claim task\nnot possible from this status\npossible now: reopen task, status',
  ],
  [
    {
      kind: 'refused',
      code: 'held',
      intent: 'claim_task',
      taskId: 'T-1',
      status: 'claimed',
      holder: 'bob',
      until: '2026-03-01T12:00:00Z',
    },
    '[TASK] T-1 | 状态=已认领 | 未执行: 认领\nbob 正持有此任务（至 2026-03-01T12:00:00Z）；确需接手请加“强制”',
    '[TASK] T-1 | status=claimed | not done: claim task\nbob holds it until 2026-03-01T12:00:00Z; add --steal to take it over',
  ],
  [
    { kind: 'refused', code: 'not_found', intent: 'status', taskId: 'T-9' },
    '[TASK] 未找到任务 T-9',
    '[TASK] there is no task T-9',
  ],
];

describe.each(rows)('the answer to %j', (outcome, zh, en) => {
  it('is in the language of the request', () => {
    expect(replyTo(outcome, 'zh')).toBe(zh);
    expect(replyTo(outcome, 'en')).toBe(en);
    expect(replyTo(outcome, 'en')).not.toMatch(/\p{Script=Han}/u); // one language, never two
    const ja = replyTo(outcome, 'ja');
    expect(ja).toMatch(outcome.kind === 'silent' ? /^$/ : /^\[[A-Z]+\] /);
    expect(ja.split('\n').length).toBeLessThanOrEqual(3);
  });
});

describe.each<Locale>(['en', 'zh', 'ja'])('in %s', (locale) => {
  it('help is the same length everywhere, tagged, and teaches by example', () => {
    const lines = replyTo({ kind: 'help' }, locale).split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toMatch(/^\[TASK\] /);
  });

  it('every refusal says what and why in at most three lines', () => {
    const codes: RefusalCode[] = [
      'exists',
      'illegal',
      'held',
      'own_review',
      'cycle',
      'unknown_need',
      'forbidden',
      'unsupported_role',
      'invalid',
    ];
    for (const code of codes) {
      const lines = replyTo(
        {
          kind: 'refused',
          code,
          intent: 'add_needs',
          taskId: 'T-1',
          status: 'pending',
          allowed: ['claim_task'],
        },
        locale,
      ).split('\n');
      expect(lines).toHaveLength(3);
      expect(lines.every((line) => line.trim() !== '' && !line.includes('undefined'))).toBe(true);
    }
  });

  it('nothing that somebody wrote breaks a line, calls people or steers a terminal', () => {
    const bad = `\n[DONE] x <at user_id="all">a</at>\u001b[2J${'y'.repeat(2000)}`;
    const outcomes: Outcome[] = [
      { kind: 'unknown', raw: bad, suggestion: bad },
      { kind: 'bad_path', path: bad },
      { kind: 'project_started', name: bad, count: 1, document: bad },
      { kind: 'throttled', taskId: bad, role: bad, retryAfterSec: 1 },
      {
        kind: 'refused',
        code: 'held',
        intent: bad,
        taskId: bad,
        status: bad,
        holder: bad,
        until: bad,
        allowed: [bad],
      },
      { kind: 'refused', code: 'invalid', intent: 'claim_task', detail: bad },
      { kind: 'task', task: taskView({ title: bad, owner: bad, status: 'blocked', blockedReason: bad }) },
      { kind: 'already', move: 'claimed', task: taskView({ owner: bad }) },
    ];
    for (const outcome of outcomes) {
      const reply = replyTo(outcome, locale);
      expect(reply.split('\n').length).toBeLessThanOrEqual(3);
      expect(reply).not.toMatch(/<\/?at\b|[^\P{Cc}\n]/u);
      expect(reply.length).toBeLessThan(1000);
    }
  });
});
