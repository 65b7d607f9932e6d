import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { makeBoard } from '../../../src/kinds/board/board.ts';
import { mailStatus } from '../../../src/project/chat/mail.ts';
import { shown as board } from '../../support/board.ts';
import { other, team, testChat } from '../../support/chat.ts';
import { scratch } from '../../support/scratch.ts';
import { until } from '../../support/serving.ts';

const proof = 'all tests pass, see out/test.log';

/** Somebody in the terminal, beside the chat. */
function terminal(root: string, text: string) {
  const at = makeBoard({ root, env: process.env, clock: systemClock, warn: () => undefined });
  const sender = { actor: 'orchestrator', isBot: false };
  return at.say({ text, sender, signal: new AbortController().signal });
}

describe('a board that is worked from a chat', () => {
  it('answers once: what everybody is told is the answer, but in another group', async () => {
    const root = scratch();
    const chat = await testChat(root);
    await chat.say('create task: Fix the login');
    await chat.say('create task: Fix the logout', 'ou_ann', { group: other });
    await chat.say('status', 'ou_ann', { group: other });
    expect(chat.texts(team).map((text) => text.split(' | ')[0])).toEqual(['[TASK] T-001', '[TASK] T-002']);
    expect(chat.texts(other).map((text) => text.split(' | ')[0])).toEqual(['[TASK] T-002', '[TASK] Board']);
    expect(board(root)['T-001']).toMatchObject({ createdBy: 'ou_ann', title: 'Fix the login' });
  });

  it('leaves alone what people talk about, and says that it did not understand who spoke to it', async () => {
    const chat = await testChat(scratch());
    await chat.say('lunch at one?');
    await chat.say('statsu');
    expect(chat.shown).toEqual([]);
    await chat.say('@orchestrator statsu');
    expect(chat.texts()).toEqual([expect.stringContaining('not understood')]);
  });

  it('tells what happened while nobody served, once, and not what was before the first time', async () => {
    const root = scratch();
    await terminal(root, 'create task: old');
    const first = await testChat(root);
    await first.rest();
    await first.stop();
    await terminal(root, 'create task: new');
    const second = await testChat(root);
    await until(() => second.shown.length === 1);
    await second.stop();
    // As if it had been killed after the message was on its way, and before that was written down.
    fs.writeFileSync(path.join(root, '.docket/board/told.json'), '{"v":1,"seq":1}\n');
    const third = await testChat(root);
    await third.say('status');
    expect([...first.texts(), ...second.texts()]).toEqual([expect.stringContaining('[TASK] T-002')]);
    expect(third.texts()).toEqual([expect.stringContaining('Board')]);
    expect(mailStatus(root)).toMatchObject({ served: true, toldUpTo: 2, inbox: { waiting: 0, dead: [] } });
  });

  it('takes the answer of a button, for that round and from who may give it', async () => {
    const root = scratch();
    const chat = await testChat(root);
    await chat.say('create task: one');
    await chat.say('claim T-001', 'ou_coder', { isBot: true });
    await chat.say(`submit T-001: ${proof}`, 'ou_coder', { isBot: true });
    const card = chat.shown.flatMap(({ content }) => (content.kind === 'card' ? [content.card] : []))[0]!;
    const approve = card.buttons.find(({ press }) => press.action === 'approve_review')!.press;
    const back = card.buttons.find(({ press }) => press.action === 'request_changes')!.press;
    expect(await chat.press(approve, 'ou_coder')).toContain('own work');
    await chat.press(back, 'ou_ann', 'p-back');
    expect(board(root)['T-001']).toMatchObject({ status: 'in_progress' });
    await chat.say(`submit T-001: ${proof}`, 'ou_coder', { isBot: true });
    const stale = await chat.press(approve, 'ou_ann');
    expect(stale).not.toBe('');
    expect(board(root)['T-001']).toMatchObject({ status: 'review' });
    const fresh = chat.shown
      .flatMap(({ content }) => (content.kind === 'card' ? [content.card] : []))
      .at(-1)!;
    await chat.press(fresh.buttons[0]!.press, 'ou_ann', 'p-yes');
    await chat.press(fresh.buttons[0]!.press, 'ou_ann', 'p-yes');
    expect(board(root)['T-001']).toMatchObject({ status: 'done', owner: 'coder' });
    expect(await chat.press({ ...approve, action: 'start_project' })).toContain('not understood');
  });

  it('makes one message of many that wait, but not of an answer', async () => {
    const root = scratch();
    const chat = await testChat(root);
    let release: () => void = () => undefined;
    chat.held = new Promise((resolve) => (release = resolve));
    await terminal(root, 'create task: first');
    await until(() => mailStatus(root).outbox.waiting.some(({ tries }) => tries > 0));
    for (let n = 0; n < 12; n += 1) await terminal(root, `create task: ${n}`);
    await until(() => mailStatus(root).toldUpTo === 13);
    release();
    await chat.say('status');
    expect(chat.texts().map((text) => text.split(' | ').slice(0, 2).join(' | '))).toEqual([
      '[TASK] T-001 | status=pending',
      '[TASK] Board news | 12 events',
      '[TASK] Board | 13 tasks',
    ]);
  });

  it('lets workers do what is ordered for later, as long as it is served, and after a restart', async () => {
    const root = scratch();
    const report = { status: 'done', summary: 'done, tests pass', evidence: ['out/test.log'] };
    const agent = path.join(root, 'agent.sh');
    fs.writeFileSync(agent, `#!/bin/sh\ncat > /dev/null\necho '${JSON.stringify(report)}'\n`, {
      mode: 0o755,
    });
    fs.mkdirSync(path.join(root, '.docket'));
    const agents = { sh: { adapter: 'command', command: [agent] } };
    fs.writeFileSync(
      path.join(root, '.docket/config.yaml'),
      JSON.stringify({ agents, defaultAgent: 'sh', trust: { sources: { chat: 'high' } } }),
    );
    const chat = await testChat(root);
    await chat.say('@orchestrator auto progress on 2');
    await chat.say('@coder create task: Fix the login');
    await until(() => chat.news.some(({ kind }) => kind === 'autopilot'));
    await until(() => chat.texts().some((text) => text.startsWith('[DONE] T-001')));
    await chat.stop();
    await terminal(root, '@coder create task: Fix the logout');
    const later = await testChat(root);
    await until(() => later.texts().some((text) => text.startsWith('[DONE] T-002')));
    await later.say('@orchestrator auto progress off');
    expect(later.texts().at(-1)).toContain('auto progress is off');
    expect(Object.values(board(root)).map(({ status }) => status)).toEqual(['done', 'done']);
    expect(chat.texts().filter((text) => text.startsWith('[CLAIM] T-001'))).toHaveLength(1);
  });
});

describe('the language of a group', { timeout: 60_000 }, () => {
  const heads = (texts: readonly string[]): string[] => texts.map((text) => text.split(' | ', 2)[1] ?? '');

  it('is that of the first command, whoever speaks later, also after a restart; answers follow the question', async () => {
    const root = scratch();
    const chat = await testChat(root, {});
    await chat.say('good morning everybody', 'ou_1');
    await chat.say('创建任务：修复登录', 'ou_1');
    await chat.say('create task: Fix the cart', 'ou_2');
    await chat.say('status', 'ou_2');
    await chat.rest();
    const texts = chat.texts(team);
    expect(heads(texts.slice(0, 2))).toEqual(['状态=待处理', '状态=待处理']);
    expect(texts.at(-1)).toMatch(/^\[TASK\] Board \| 2 tasks/);
    await chat.stop();
    const later = await testChat(root, {});
    await later.say('claim T-001', 'ou_2');
    await later.say('mark done T-001: looks fine', 'ou_2');
    await later.rest();
    expect(heads(later.texts(team))).toEqual(['状态=已认领', '状态=阻塞']);
    expect(later.texts(team).at(-1)).toContain('缺少可验证证据');
  });

  it('is English where people speak English, also for what is done at a terminal', async () => {
    const root = scratch();
    const chat = await testChat(root, {});
    await chat.say('create task: one', 'ou_1');
    await terminal(root, '认领 T-001');
    await until(() => chat.texts(team).length === 2);
    expect(heads(chat.texts(team))).toEqual(['status=pending', 'status=claimed']);
  });
});
