import { describe, expect, it } from 'vitest';
import {
  digestNotice,
  readHead,
  clarifyNotice,
  dispatchNotices,
  handoverNotice,
  mention,
  notice,
} from '../../../src/render/board/notice.ts';
import type { Moved } from '../../../src/render/board/outcome.ts';
import { taskView } from './task-view.ts';

const owned = { owner: 'bob' };

/** What happened, the Chinese notice, the English one. */
const rows: [Omit<Moved, 'kind'>, string, string][] = [
  [
    { move: 'created', task: taskView() },
    '[TASK] T-001 | 状态=待处理 | 建议负责人=coder\n标题: Fix the login',
    '[TASK] T-001 | status=pending | suggested owner=coder\ntitle: Fix the login',
  ],
  [
    { move: 'claimed', task: taskView({ ...owned, status: 'claimed' }) },
    '[CLAIM] T-001 | 状态=已认领 | 负责人=bob\n标题: Fix the login',
    '[CLAIM] T-001 | status=claimed | owner=bob\ntitle: Fix the login',
  ],
  [
    { move: 'stolen', task: taskView({ ...owned, status: 'claimed' }), other: 'eve' },
    '[CLAIM] T-001 | 状态=已认领 | 负责人=bob\n标题: Fix the login\n接手自: eve',
    '[CLAIM] T-001 | status=claimed | owner=bob\ntitle: Fix the login\ntaken over from: eve',
  ],
  [
    { move: 'started', task: taskView({ ...owned, status: 'in_progress' }) },
    '[CLAIM] T-001 | 状态=进行中 | 负责人=bob\n标题: Fix the login',
    '[CLAIM] T-001 | status=in progress | owner=bob\ntitle: Fix the login',
  ],
  [
    { move: 'progress', task: taskView({ ...owned, status: 'in_progress' }), text: 'half' },
    '[TASK] T-001 | 状态=进行中 | 负责人=bob\n进展: half',
    '[TASK] T-001 | status=in progress | owner=bob\nprogress: half',
  ],
  [
    { move: 'done', task: taskView({ ...owned, status: 'done', result: 'log: /x' }) },
    '[DONE] T-001 | 状态=已完成 | 负责人=bob\n结果: log: /x',
    '[DONE] T-001 | status=done | owner=bob\nresult: log: /x',
  ],
  [
    { move: 'gated', task: taskView({ ...owned, status: 'blocked', blockedReason: 'no evidence' }) },
    '[BLOCKED] T-001 | 状态=阻塞 | 负责人=bob\n原因: no evidence',
    '[BLOCKED] T-001 | status=blocked | owner=bob\nreason: no evidence',
  ],
  [
    { move: 'blocked', task: taskView({ status: 'blocked', blockedReason: 'no\naccess' }) },
    '[BLOCKED] T-001 | 状态=阻塞 | 负责人=未指派\n原因: no access',
    '[BLOCKED] T-001 | status=blocked | owner=nobody\nreason: no access',
  ],
  [
    { move: 'unblocked', task: taskView(), text: 'got access' },
    '[TASK] T-001 | 状态=待处理 | 负责人=未指派\n已解除阻塞: got access',
    '[TASK] T-001 | status=pending | owner=nobody\nunblocked: got access',
  ],
  [
    { move: 'reopened', task: taskView(), text: 'broken again' },
    '[TASK] T-001 | 状态=待处理 | 负责人=未指派\n已重新打开: broken again',
    '[TASK] T-001 | status=pending | owner=nobody\nreopened: broken again',
  ],
  [
    { move: 'failed', task: taskView({ ...owned, status: 'failed' }), text: 'cannot' },
    '[BLOCKED] T-001 | 状态=失败 | 负责人=bob\n已标记失败: cannot',
    '[BLOCKED] T-001 | status=failed | owner=bob\nfailed: cannot',
  ],
  [
    { move: 'canceled', task: taskView({ status: 'blocked', blockedReason: 'not needed' }) },
    '[BLOCKED] T-001 | 状态=阻塞 | 负责人=未指派\n已取消: not needed',
    '[BLOCKED] T-001 | status=blocked | owner=nobody\ncanceled: not needed',
  ],
  [
    {
      move: 'escalated',
      task: taskView({ taskId: 'T-002', assigneeHint: 'debugger', relatedTo: 'T-001' }),
      text: 'auth',
    },
    '[DIAG] T-002 | 状态=待处理 | 指派=debugger\n诊断内容: auth | 关联=T-001',
    '[DIAG] T-002 | status=pending | assigned to=debugger\nto find out: auth | related to=T-001',
  ],
  [
    { move: 'submitted', task: taskView({ ...owned, status: 'review' }), text: 'ready', other: 'ann' },
    '[REVIEW] T-001 | 状态=待复核 | 复核人=ann\n提交复核: ready',
    '[REVIEW] T-001 | status=in review | reviewer=ann\nsubmitted for review: ready',
  ],
  [
    { move: 'submitted', task: taskView({ ...owned, status: 'review', review: 'ready' }) },
    '[REVIEW] T-001 | 状态=待复核 | 负责人=bob\n提交复核: ready',
    '[REVIEW] T-001 | status=in review | owner=bob\nsubmitted for review: ready',
  ],
  [
    { move: 'approved', task: taskView({ ...owned, status: 'done' }), other: 'ann' },
    '[REVIEW] T-001 | 状态=已完成 | 复核人=ann\n复核通过: -',
    '[REVIEW] T-001 | status=done | reviewer=ann\napproved: -',
  ],
  [
    { move: 'returned', task: taskView({ ...owned, status: 'in_progress' }), text: 'no tests', other: 'ann' },
    '[REVIEW] T-001 | 状态=进行中 | 负责人=bob\n要求修改: no tests',
    '[REVIEW] T-001 | status=in progress | owner=bob\nchanges requested: no tests',
  ],
  [
    { move: 'linked', task: taskView(), text: 'T-002、T-003' },
    '[TASK] T-001 | 状态=待处理 | 负责人=未指派\n依赖: T-002、T-003',
    '[TASK] T-001 | status=pending | owner=nobody\nneeds: T-002、T-003',
  ],
];

describe.each(rows)('a notice of %j', (moved, zh, en) => {
  it('is Chinese unless told otherwise', () => {
    expect(notice({ kind: 'moved', ...moved })).toBe(zh);
    expect(notice({ kind: 'moved', ...moved }, 'en')).toBe(en);
    expect(notice({ kind: 'moved', ...moved }, 'ja').split('\n')[0]).toMatch(/^\[[A-Z]+\] T-00\d \| 状態=/);
  });
});

describe('a notice', () => {
  it('is cut between letters and calls nobody', () => {
    const text = `<at user_id="all">x</at> < at user_id=1> ${'😀'.repeat(300)}\u001b[2J`;
    const [, detail = ''] = notice({ kind: 'moved', move: 'done', task: taskView(), text }).split('\n');
    expect(detail).not.toMatch(/<\s*\/?at|\p{Cc}/iu);
    expect(detail).not.toMatch(/\p{Cs}/u);
    expect(Array.from(detail.replace('结果: ', ''))).toHaveLength(162);
    expect(detail).toMatch(/😀\.\.\.$/u);
  });

  it('shows a status that nobody knows as it is', () => {
    expect(notice({ kind: 'moved', move: 'progress', task: taskView({ status: 'constructor' }) })).toContain(
      '状态=constructor',
    );
  });
});

describe('a dispatch', () => {
  const mentions = {
    agent: mention('coder', { openId: 'ou_1', name: 'Co<der>' }),
    orchestrator: mention('orchestrator'),
  };
  const task = taskView({ status: 'claimed', owner: 'coder' });

  it('is posted as a claim and as an order', () => {
    expect(dispatchNotices({ task, agent: 'coder', text: 'Do it', mode: 'manual', mentions })).toEqual([
      '[CLAIM] T-001 | 状态=已认领 | 指派=coder\n标题: Fix the login\n派发模式: 手动协作（等待回报）',
      '[TASK] T-001 | 负责人=coder\n任务: Do it\n<at user_id="ou_1">Coder</at> 完成后请回复: @orchestrator T-001 已完成，证据: 日志/截图/链接',
    ]);
    const [claim, order] = dispatchNotices({ task, agent: 'coder', mode: 'spawn', mentions });
    expect(claim.split('\n')[2]).toBe('派发模式: 自动执行闭环（spawn并回写看板）');
    expect(order.split('\n')[1]).toBe('任务: Fix the login');
    expect(
      dispatchNotices({ task, agent: 'coder', mode: 'spawn', mentions }, 'en').join('\n').split('\n'),
    ).toHaveLength(6);
  });

  it('ends in a visible handover', () => {
    expect(handoverNotice({ taskId: 'T-001', agent: 'coder', result: 'log: /x' }, '@orchestrator')).toBe(
      '[TASK] T-001 | 交接人=coder\n@orchestrator T-001 已完成，结果: log: /x',
    );
  });

  it('may need a question first', () => {
    const question = { taskId: 'T-001', role: 'coder', question: 'y'.repeat(150) };
    expect(clarifyNotice(question)).toBe(
      `[TASK] T-001 | 状态=澄清 | 目标角色=coder\n问题: ${'y'.repeat(139)}...`,
    );
    expect(clarifyNotice(question, 'zh', '@coder').split('\n')[2]).toBe('@coder');
  });
});

it.each([
  ['coder', undefined, '@coder'],
  ['coder', { openId: 'ou_1', name: 'A <b>\n' }, '<at user_id="ou_1">A b</at>'],
  ['coder', { openId: 'ou_1' }, '<at user_id="ou_1">coder</at>'],
  ['coder', { openId: 'x"><at user_id="all', name: 'A' }, '@coder'],
  ['<at>', undefined, '@at'],
])('mentions %j as %j by %s', (role, known, text) => {
  expect(mention(role, known)).toBe(text);
});

describe('a digest', () => {
  it('says how much of what happened to which tasks', () => {
    const texts = [
      '[DONE] T-1 | 状态=已完成 | x',
      '[DONE] T-2 | x',
      '[DONE] T-2 | x',
      '[BLOCKED] T-3 | x',
      '[TASK] 当前没有可执行任务。',
    ];
    const heads = texts.map((text) => readHead(text)!);
    expect(digestNotice(heads)).toBe(
      '[TASK] 看板动态 | 共5条 | 完成3、阻塞1、任务1\n[DONE] T-1、T-2；[BLOCKED] T-3',
    );
    expect(digestNotice(heads, 'en')).toBe(
      '[TASK] Board news | 5 events | 3 done, 1 blocked, 1 task\n[DONE] T-1, T-2; [BLOCKED] T-3',
    );
  });

  it('stays short', () => {
    const heads = Array.from({ length: 1000 }, (_, nth) => ({ tag: '[CLAIM]', taskId: `T-${nth}` }));
    expect(digestNotice(heads).split('\n')[1]).toMatch(/^\[CLAIM\] T-0、.*T-7、…… 另有 992 条$/);
    expect(readHead('hello')).toBeUndefined();
  });
});
