import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../../src/render/board/outcome.ts';
import {
  statusSummary,
  taskStatus,
  synthesisMessage,
  synthesisReport,
} from '../../../src/render/board/status.ts';
import { summarise, taskView } from './task-view.ts';

const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`;
const many = (count: number, fields: (nth: number) => Partial<TaskView>): TaskView[] =>
  Array.from({ length: count }, (_, nth) =>
    taskView({ taskId: `T-${nth + 1}`, updatedAt: at(nth), ...fields(nth) }),
  );

describe('the summary of the board', () => {
  it('is Chinese, in three lines, in a fixed order', () => {
    const tasks = [
      taskView({ taskId: 'T-1', status: 'failed' }),
      taskView({ taskId: 'T-2', status: 'blocked', blockedReason: '没有权限' }),
      taskView({ taskId: 'T-3', status: 'done' }),
      taskView({ taskId: 'T-4', status: 'paused' }),
      taskView({ taskId: 'T-5', title: '甲', owner: 'bob', status: 'in_progress', updatedAt: at(5) }),
      taskView({ taskId: 'T-6', title: '乙' }),
      taskView({ taskId: 'T-10', title: '丙', assigneeHint: '' }),
    ];
    expect(statusSummary(summarise(tasks))).toBe(
      [
        '[TASK] 看板汇总 | 总数7 | 待处理2、进行中1、已完成1、阻塞1、失败1、paused1',
        '阻塞Top3: T-2 Fix the login（没有权限）',
        '待推进Top3: T-5 甲（bob）；T-10 丙（未指派）；T-6 乙（coder）',
      ].join('\n'),
    );
    expect(statusSummary(summarise(tasks), 'en').split('\n')[0]).toBe(
      '[TASK] Board | 7 tasks | 2 pending, 1 in progress, 1 done, 1 blocked, 1 failed, 1 paused',
    );
  });

  it('of an empty board says so', () => {
    expect(statusSummary(summarise([]))).toBe(
      '[TASK] 看板汇总 | 总数0 | 暂无任务\n阻塞Top3: 无\n待推进Top3: 无',
    );
  });

  it.each([
    [false, 3, 18, 12],
    [true, 6, 28, 20],
  ])('shows the latest, cut to their widths (full: %s)', (full, shown, title, note) => {
    const tasks = many(20, () => ({
      status: 'blocked',
      title: 't'.repeat(50),
      blockedReason: 'r'.repeat(50),
    }));
    const [, blocked = ''] = statusSummary(summarise(tasks), 'zh', full).split('\n');
    const item = (id: number): string => `T-${id} ${'t'.repeat(title - 1)}...（${'r'.repeat(note - 1)}...）`;
    const expected = Array.from({ length: shown }, (_, nth) => item(20 - nth)).join('；');
    expect(blocked).toBe(`阻塞Top${shown}: ${expected}`);
  });

  it('drops what does not fit from the longer list, then all lists', () => {
    const long = 'T-' + '1'.repeat(100);
    const of = (status: string, count: number): TaskView[] =>
      many(count, (nth) => ({ taskId: `${long}${nth}`, status }));
    const text = statusSummary(summarise([...of('blocked', 3), ...of('pending', 3)]));
    expect(Array.from(text).length).toBeLessThanOrEqual(500);
    const [, blocked = '', open = ''] = text.split('\n');
    expect(blocked.split('；')).toHaveLength(1);
    expect(open.split('；')).toHaveLength(2);
    const counts = Object.fromEntries(Array.from({ length: 80 }, (_, nth) => [`status-${nth}`, 1]));
    const head = statusSummary({ counts, blocked: [], open: [] });
    expect(head.split('\n')).toHaveLength(1);
    expect(Array.from(head).length).toBeLessThanOrEqual(502);
  });

  it('is not taken in by a status that is called like something of JavaScript', () => {
    const tasks = [taskView({ status: '__proto__' }), taskView({ status: 'constructor' })];
    expect(statusSummary(summarise(tasks)).split('\n')[0]).toBe(
      '[TASK] 看板汇总 | 总数2 | __proto__1、constructor1',
    );
  });
});

describe('one task', () => {
  it('is shown in three lines', () => {
    expect(taskStatus(taskView({ status: 'claimed', owner: 'bob' }))).toBe(
      '[TASK] T-001 | 状态=已认领\n负责人: bob\n标题: Fix the login',
    );
    expect(taskStatus(taskView({ status: 'blocked', blockedReason: 'x' }), 'en')).toBe(
      '[TASK] T-001 | status=blocked | reason=x\nowner: coder\ntitle: Fix the login',
    );
    const result = 'Made it. | branch b, commit c; npm test (exit code 0)\nmore';
    expect(taskStatus(taskView({ status: 'done', result }), 'en')).toBe(
      `[TASK] T-001 | status=done | result=${result.replace('\n', ' ')}\nowner: coder\ntitle: Fix the login`,
    );
  });
});

describe('the synthesis', () => {
  const tasks = [
    taskView({ taskId: 'T-10', status: 'done', owner: 'bob', result: 'one\ntwo' }),
    taskView({ taskId: 'T-9', status: 'blocked', blockedReason: 'no access' }),
    taskView({ taskId: 'T-11', status: 'review', owner: 'ann', review: 'ready' }),
    taskView({ taskId: 'T-12', status: 'pending', relatedTo: 'T-9' }),
    taskView({ taskId: 'T-13', status: 'pending' }),
  ];

  it('has a line per finished, reviewed, blocked or related task, by number', () => {
    expect(synthesisReport(tasks)).toBe(
      [
        'SYNTHESIS REPORT',
        '- T-9 [blocked] owner=- :: no access',
        '- T-10 [done] owner=bob :: one two',
        '- T-11 [review] owner=ann :: ready',
        '- T-12 [pending] owner=- relatedTo=T-9 :: (no detail)',
      ].join('\n'),
    );
    expect(synthesisReport(tasks, 'T-9').split('\n')).toHaveLength(3);
    expect(synthesisReport([])).toBe('SYNTHESIS REPORT\n- no completed/review/blocked tasks found');
  });

  it('keeps its lines as a message, as many as there is room for', () => {
    expect(synthesisMessage(synthesisReport(tasks))).toBe(`[TASK] ${synthesisReport(tasks)}`);
    const message = synthesisMessage(
      synthesisReport(many(100, () => ({ status: 'done', result: 'r'.repeat(50) }))),
    );
    expect(Array.from(message).length).toBeLessThanOrEqual(1200);
    const lines = message.split('\n');
    expect(lines.at(-1)).toBe(`…… 另有 ${100 - (lines.length - 2)} 条`);
    expect(
      synthesisMessage(synthesisReport([taskView({ status: 'done', result: 'r'.repeat(9999) })])).split('\n'),
    ).toHaveLength(2);
  });
});
