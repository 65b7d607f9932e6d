import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { makeBoard, type Board } from '../../../src/kinds/board/board.ts';
import { scratch } from '../../support/scratch.ts';

function board(): { at: Board; root: string; say: (text: string, actor?: string) => Promise<string> } {
  const root = scratch();
  const at = makeBoard({ root, env: process.env, clock: systemClock, warn: () => undefined });
  const say = async (text: string, actor = 'orchestrator') => {
    const { signal } = new AbortController();
    return (await at.say({ text, sender: { actor, isBot: false }, locale: 'en', signal })).reply;
  };
  return { at, root, say };
}

const proof = 'all tests pass, see https://ci.example.com/1';

describe('what is said to a board', { timeout: 60_000 }, () => {
  it('creates with the next number, or the id that was given, and never twice', async () => {
    const { say, at } = board();
    await say('create task: first');
    await say('create task T-009: ninth');
    await say('create task: tenth');
    expect(await say('create task T-009: again')).toContain('not done');
    expect((await at.list()).map(({ taskId }) => taskId)).toEqual(['T-001', 'T-009', 'T-010']);
  });

  it('gives a task to one person, and to another only when it is taken over', async () => {
    const { say, at } = board();
    await say('create task: one');
    expect(await say('claim T-001', 'ann')).toContain('[CLAIM] T-001');
    expect(await say('claim T-001', 'bob')).toContain('ann');
    expect((await at.list())[0]).toMatchObject({ owner: 'ann', status: 'claimed' });
    expect(await say('claim T-001 --steal', 'bob')).toContain('[CLAIM]');
    expect((await at.list())[0]).toMatchObject({ owner: 'bob' });
    await say('claim T-001', 'bob');
    expect((await at.list())[0]).toMatchObject({ owner: 'bob', status: 'in_progress' });
  });

  it('finishes nothing without proof, whoever asks and however', async () => {
    const { say, at } = board();
    for (const [n, words] of ['mark done T-001: looks fine', '@ann mark done T-002: looks fine'].entries()) {
      await say(`create task: ${n}`);
      await say(`@ann claim task T-00${n + 1}`);
      await say(words);
    }
    await say('create task: reported');
    await say('@ann claim task T-003');
    await say('@orchestrator T-003 is completed', 'ann');
    expect((await at.list()).map(({ status }) => status)).toEqual(['blocked', 'blocked', 'blocked']);
    await say('claim T-001', 'ann');
    expect(await say(`done T-001: ${proof}`, 'ann')).toContain('[DONE] T-001');
    expect((await at.list())[0]).toMatchObject({ status: 'done', result: proof });
  });

  it('knows what is so already, and refuses what cannot be', async () => {
    const { say, at, root } = board();
    await say('create task: one');
    expect(await say(`done T-001: ${proof}`)).toContain('not done');
    await say('claim T-001', 'ann');
    await say(`done T-001: ${proof}`, 'ann');
    const size = fs.statSync(path.join(root, 'state/tasks.jsonl')).size;
    expect(await say(`done T-001: ${proof}`, 'ann')).toContain('T-001');
    expect(await say('block task T-001: no')).toContain('not done');
    expect(await say('claim T-001', 'bob')).toContain('not done');
    expect(fs.statSync(path.join(root, 'state/tasks.jsonl')).size).toBe(size);
    expect((await at.list())[0]).toMatchObject({ status: 'done', owner: 'ann' });
  });

  it('has a review in which nobody approves their own work', async () => {
    const { say, at } = board();
    await say('create task: one');
    await say('claim T-001', 'ann');
    await say(`submit T-001: ${proof}`, 'ann');
    expect((await at.list())[0]).toMatchObject({ status: 'review' });
    await say('approve T-001', 'ann');
    expect((await at.list())[0]).toMatchObject({ status: 'review' });
    await say('request changes T-001: name it better', 'bob');
    expect((await at.list())[0]).toMatchObject({ status: 'in_progress', owner: 'ann' });
    await say(`submit T-001: ${proof}`, 'ann');
    expect(await say('approve T-001', 'bob')).toContain('T-001');
    expect((await at.list())[0]).toMatchObject({ status: 'done' });
  });

  it('escalates with a task for the debugger, blocks, unblocks, fails, cancels and reopens', async () => {
    const { say, at } = board();
    await say('create task: one');
    await say('escalate task T-001: webhook auth failing');
    expect(await at.list()).toMatchObject([
      { taskId: 'T-001', status: 'blocked', blockedReason: 'webhook auth failing' },
      { taskId: 'T-002', status: 'pending', assigneeHint: 'debugger', relatedTo: 'T-001' },
    ]);
    await say('unblock T-001');
    expect((await at.list())[0]).toMatchObject({ status: 'pending' });
    await say('cancel T-001: not needed');
    await say('reopen T-001');
    expect((await at.list())[0]).toMatchObject({ status: 'pending' });
    await say('fail T-001: cannot be done');
    expect((await at.list())[0]).toMatchObject({ status: 'failed' });
  });

  it('dispatches by hand: claimed for the agent, who is told, once', async () => {
    const { say, at } = board();
    await say('create project Shop: build the cart; debug the login');
    expect((await at.list()).map(({ assigneeHint }) => assigneeHint)).toEqual(['coder', 'debugger']);
    expect(await say('run')).toContain('T-001');
    expect((await at.list())[0]).toMatchObject({ status: 'claimed', owner: 'coder' });
    expect(await say('run')).toContain('T-002'); // the next that nobody has
    expect(await say('run')).toContain('T-001'); // and then a reminder
    await say('dispatch T-002 debugger: look at the log');
    expect((await at.list())[1]).toMatchObject({ status: 'claimed', owner: 'debugger' });
    expect(await say('dispatch T-001 debugger', 'ann')).toContain('not done');
  });

  it('refuses a text that no line of its log can hold, and goes on', async () => {
    const { say, at } = board();
    expect(await say(`create task: ${'x'.repeat(3_000_000)}`)).toContain('not done');
    await say('create task: short');
    expect((await at.list()).map(({ title }) => title)).toEqual(['short']);
  });

  it('understands Chinese, suggests what was meant, and changes nothing then', async () => {
    const { say, at } = board();
    await say('创建任务: 修复登录');
    expect((await at.list())[0]).toMatchObject({ title: '修复登录' });
    expect(await say('statsu')).toContain('status');
    expect(await at.list()).toHaveLength(1);
  });
});
