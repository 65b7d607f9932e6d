import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { boardMail } from '../../../src/kinds/board/outbox.ts';
import { writeCursor } from '../../../src/project/chat/chat-state.ts';
import { appId, appSecret, botId, FeishuServer, groupId } from '../../support/feishu-server.ts';
import { scratch } from '../../support/scratch.ts';
import { until } from '../../support/serving.ts';
import { inFolder } from './real-world.ts';

const secret = 'a secret of more than sixteen characters';
const out = 'http://127.0.0.1:9/';

async function failure(root: string, argv: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout } = await inFolder(root, [...argv, '--json'], { env });
  return [code, (JSON.parse(stdout) as { error: { message: string; fix: string } }).error] as const;
}

describe('docket chat', () => {
  it.each([
    [['feishu'], {}, 2, 'FEISHU_APP_ID is not set'],
    [['feishu'], { FEISHU_APP_ID: appId }, 2, 'FEISHU_APP_SECRET is not set'],
    [['feishu', '--config', 'nowhere.json'], {}, 3, 'there is no file'],
    [
      ['feishu', '--listen', '0.0.0.0:80'],
      { FEISHU_APP_ID: appId, FEISHU_APP_SECRET: 'x' },
      4,
      'other machines',
    ],
    [['webhook'], {}, 2, '--out is missing'],
    [['webhook', '--out', out], {}, 2, '--group is missing'],
    [['webhook', '--out', out, '--group', 'g'], {}, 2, 'DOCKET_HOOK_SECRET is not set'],
    [['webhook', '--out', out, '--group', 'g'], { DOCKET_HOOK_SECRET: 'short' }, 2, 'can be guessed'],
    [['webhook', '--out', 'http://x.example', '--group', 'g'], { DOCKET_HOOK_SECRET: secret }, 2, 'https'],
  ])('%j says what is missing', async (argv, env, code, message) => {
    const [ended, error] = await failure(scratch(), ['chat', ...argv], env);
    expect(ended).toBe(code);
    expect(error.message).toContain(message);
    expect(error.fix).not.toBe('');
  });

  it('checks its settings without hearing or sending anything', async () => {
    const server = await FeishuServer.start();
    const root = scratch();
    const config = path.join(root, 'feishu.json');
    fs.writeFileSync(config, JSON.stringify({ appId, appSecret, domain: server.domain, groups: [groupId] }));
    const argv = ['chat', 'feishu', '--config', 'feishu.json', '--dry-run'];
    expect((await failure(root, argv))[1].message).toContain('others than its owner');
    fs.chmodSync(config, 0o600);
    const { code, stdout } = await inFolder(root, [...argv, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, dryRun: true, groups: [groupId], botId });
    expect(stdout).not.toContain(appSecret);
    expect(server.connections).toBe(0);
    expect(fs.existsSync(path.join(root, '.docket'))).toBe(false);
    fs.writeFileSync(config, JSON.stringify({ appId, appSecret: 'wrong', domain: server.domain }));
    const [wrong, error] = await failure(root, argv);
    expect([wrong, error.message]).toEqual([4, expect.stringContaining('10014')]);
  });

  it('says line by line what happens, ends well when it is told to, and is served once', async () => {
    const root = scratch();
    const argv = ['chat', 'webhook', '--listen', '127.0.0.1:0', '--out', out, '--group', 'g', '--json'];
    const env = { DOCKET_HOOK_SECRET: secret };
    const stop = new AbortController();
    let said = '';
    const onOutput = (text: string) => (said += text);
    const served = inFolder(root, argv, { env, stop: stop.signal, onOutput });
    await until(() => said.includes('"ready"'));
    const [code, error] = await failure(root, argv.slice(0, -1), env);
    expect([code, error.message]).toEqual([4, expect.stringContaining('another docket already serves')]);
    const status = await inFolder(root, ['chat', 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ ok: true, served: true });
    stop.abort();
    expect((await served).code).toBe(0);
    for (const line of said.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ v: 1 });
  });
});

describe('the mail of a board', () => {
  it('is nothing where no chat was served, and nothing is made', async () => {
    const root = scratch();
    expect(await inFolder(root, ['chat', 'status'])).toMatchObject({ code: 0 });
    expect(await inFolder(root, ['chat', 'retry'])).toMatchObject({ code: 0 });
    expect(fs.readdirSync(root)).toEqual([]);
  });

  it('shows what was given up, and sends it again with the same key', async () => {
    const root = scratch();
    const { outbox } = boardMail(root);
    const content = { kind: 'text' as const, text: '[DONE] T-001\u001B[2J' };
    await outbox.enqueue([{ key: 'e1', group: 'g', content }]);
    const [post] = outbox.spool.waiting();
    outbox.spool.update(post!, { ...post!.value, tries: 3, why: 'no such group' });
    outbox.spool.finish(post!, 'dead');
    const { stdout } = await inFolder(root, ['chat', 'status']);
    expect(stdout).toContain('0 waiting, 1 given up');
    expect(stdout).toContain('[DONE] T-001\\e[2J  (3 tries: no such group)');
    await inFolder(root, ['chat', 'retry', '--dry-run']);
    expect(outbox.counts()).toEqual({ waiting: 0, dead: 1 });
    const retried = await inFolder(root, ['chat', 'retry', '--json']);
    expect(JSON.parse(retried.stdout)).toMatchObject({
      ok: true,
      retried: { sent: 1, heard: 0 },
      messages: [{ key: 'e1' }],
    });
    expect(outbox.spool.waiting()).toMatchObject([{ key: 'e1', value: { tries: 1 } }]);
  });

  it('lets what could not be acted on be tried again, too', async () => {
    const root = scratch();
    const { inbox } = boardMail(root);
    const sender = { openId: 'ann', name: 'Ann', isBot: false };
    const about = { id: 'm1', group: 'g', sender, at: 1, mentions: [] };
    await inbox.take('webhook', { kind: 'message', ...about, text: 'status' });
    const [entry] = inbox.spool.waiting();
    inbox.spool.update(entry!, { ...entry!.value, tries: 3, why: 'broken' });
    inbox.spool.finish(entry!, 'dead');
    expect((await inFolder(root, ['chat', 'status'])).stdout).toContain('g  status  (3 tries: broken)');
    expect((await inFolder(root, ['chat', 'retry', '--dry-run'])).stdout).toContain(
      '1 would be acted on again',
    );
    expect((await inFolder(root, ['chat', 'retry'])).stdout).toContain('1 will be acted on again');
    expect(inbox.spool.waiting()).toMatchObject([{ value: { tries: 0, inbound: { id: 'm1' } } }]);
    expect(inbox.spool.waiting()[0]?.value).not.toHaveProperty('why');
  });

  it('has a question from the terminal, once there is a group to be asked', async () => {
    const root = scratch();
    const ask = ['say', '--json', 'clarify T-001 coder: which?'];
    expect(JSON.parse((await inFolder(root, ask)).stdout)).toMatchObject({ ok: true, queued: false });
    const { outbox } = boardMail(root);
    writeCursor(root, { seq: 0, group: 'g "1"' });
    expect(fs.existsSync(path.join(root, 'state/clarify.cooldown.json'))).toBe(false);
    expect(JSON.parse((await inFolder(root, ask)).stdout)).toMatchObject({ ok: true, queued: true });
    expect(outbox.spool.waiting()).toMatchObject([{ value: { group: 'g "1"', whole: true } }]);
  });
});
