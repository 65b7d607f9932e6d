import { describe, expect, it } from 'vitest';
import type { Sender } from '../../../../src/kinds/board/format/intent.ts';
import { route, type RouteOptions } from '../../../../src/kinds/board/format/route/route.ts';

const alice: Sender = { actor: 'alice', isBot: false };
const coder: Sender = { actor: 'coder', isBot: true };
const people: RouteOptions = {
  self: ['ou_self', '小助手'],
  roleOf: (id) => (id === 'ou_1' ? 'debugger' : undefined),
};

describe('a name in front', () => {
  const created = { intent: { intent: 'create_task', taskId: 'T-900', title: 'x' } };

  it.each([
    ['@debugger create task T-900: x', 'debugger', false],
    ['＠debugger 创建任务 T-900：x', 'debugger', false],
    ['@orchestrator @debugger create task T-900: x', 'debugger', true],
    ['@debugger @Orchestrator create task T-900: x', 'debugger', true],
    ['@debugger创建任务 T-900: x', 'debugger', false],
    ['@小王 创建任务 T-900: x', '小王', false],
    ['<at user_id="ou_1">Dee Bug</at> create task T-900: x', 'debugger', false],
    ['<at user_id="ou_self">bot</at><at user_id="ou_1">D</at>create task T-900: x', 'debugger', true],
    ["<at open_id='ou_7'>@Dee Bug</at>: create task T-900: x", 'Dee_Bug', false],
    ['<at id=ou_7></at> create task T-900: x', 'ou_7', false],
  ])('%j', (text, overrideAgent, addressed) => {
    expect(route(text, alice, people)).toMatchObject({
      ...created,
      overrideAgent,
      addressed,
      actor: 'alice',
    });
  });

  it.each([
    '@orchestrator状态',
    '@ORCHESTRATOR, status',
    '@小助手状态',
    '<at user_id="ou_9">orchestrator</at>状态',
    '@orchestrator. status',
  ])('that is ours leaves nobody else: %j', (text) => {
    const routed = route(text, alice, people);
    expect(routed).toMatchObject({ intent: { intent: 'status' }, addressed: true });
    expect(routed).not.toHaveProperty('overrideAgent');
  });

  it('is no tag any more in what is kept', () => {
    const { intent } = route(
      'create task: ask <at user_id="all">everybody</at>, <AT user_id="ou_1">x</AT>',
      alice,
      people,
    );
    expect(intent).toMatchObject({ title: 'ask @everybody, @debugger' });
  });
});

describe('our own messages', () => {
  it.each([
    '[TASK] x',
    '[DONE] T-1 已完成',
    '@orchestrator [REVIEW] T-1',
    '<at user_id="x">orchestrator</at> [done] T-1',
    '［BLOCKED］ T-1',
    '\u200b[DIAG] x',
  ])('are ignored when a bot sends them: %j', (text) => {
    expect(route(text, coder).intent).toEqual({ intent: 'ignored_loop' });
  });

  it('are a report when a person sends them to us', () => {
    expect(route('@orchestrator [DONE] T-1 log: /x', alice).intent).toMatchObject({
      intent: 'report',
      taskId: 'T-1',
    });
  });

  it('are no longer ours without the tag: a bot may command and report', () => {
    expect(route('claim T-1', coder).intent).toEqual({ intent: 'claim_task', taskId: 'T-1' });
    expect(route('@orchestrator T-1 已完成，证据: x', coder).intent).toMatchObject({
      intent: 'report',
      taskId: 'T-1',
    });
  });
});

describe('a report', () => {
  it.each([
    ['@orchestrator T-001 已完成，证据: 日志', 'T-001', 'T-001 已完成，证据: 日志'],
    ['T-002 is done, log: /tmp/x @orchestrator', 'T-002', 'T-002 is done, log: /tmp/x @orchestrator'],
    ['@orchestrator finished t-003- and T-004', 'T-003', 'finished t-003- and T-004'],
    ['@orchestrator done with T-005', 'T-005', 'done with T-005'],
    ['@orchestrator completed T-006: evidence /x', 'T-006', 'completed T-006: evidence /x'],
    ['<at user_id="ou_self">bot</at> 完成了Ｔ-００７的登录', 'T-007', '完成了Ｔ-００７的登录'],
    ['@orchestrator the login-page works', 'login-page', 'the login-page works'],
    ['@orchestrator this task T-008 works', 'T-008', 'this task T-008 works'],
    ['@orchestrator task done T-009: log /x', 'T-009', 'task done T-009: log /x'],
    ['@orchestrator new finding in T-010', 'T-010', 'new finding in T-010'],
    ['@orchestrator start fixing T-011', 'T-011', 'start fixing T-011'],
    ['@orchestrator blocker in T-012: no access', 'T-012', 'blocker in T-012: no access'],
    ['@orchestrator XT-1 hello T-1x', undefined, 'XT-1 hello T-1x'],
  ])('%j', (text, taskId, kept) => {
    const { intent } = route(text, alice, { ...people, isTask: (id) => id === 'login-page' });
    expect(intent).toEqual({ intent: 'report', ...(taskId === undefined ? {} : { taskId }), text: kept });
  });

  it('is made by others, and to us', () => {
    expect(route('@orchestrator T-1 looks fine', { actor: 'Orchestrator', isBot: true }).intent.intent).toBe(
      'unknown',
    );
    expect(route('T-1 looks fine', alice).intent.intent).toBe('unknown');
    expect(route('mail me@orchestrator.example about T-1', alice).intent.intent).toBe('unknown');
  });
});

describe('the language', () => {
  it.each([
    ['claim T-1', 'en'],
    ['@小王 claim T-1', 'en'],
    ['认领 T-1', 'zh'],
    ['create task: 修复登录', 'zh'],
    ['作成: ログイン', 'ja'],
    ['完了 T-1', 'ja'],
    ['取消 T-1', 'zh'],
    ['ｽﾃｰﾀｽ', 'ja'],
  ])('of %j is %s', (text, locale) => {
    expect(route(text, alice).locale).toBe(locale);
  });

  it('is the configured one where there is one', () => {
    expect(route('认领 T-1', alice, { locale: 'en' }).locale).toBe('en');
  });
});

describe('an id that is not of the usual kind', () => {
  it('needs a colon, unless the board knows it', () => {
    expect(route('block login no access', alice).intent.intent).toBe('unknown');
    const known = route('block login no access', alice, { isTask: (id) => id === 'login' });
    expect(known.intent).toEqual({ intent: 'block_task', taskId: 'login', reason: 'no access' });
  });
});
