import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { boardMail } from '../../../src/kinds/board/outbox.ts';
import { writeCursor } from '../../../src/project/chat/chat-state.ts';
import { at, compatBoard } from '../../support/compat.ts';

const block = (header: string, value: unknown): string =>
  `${header}\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`;
const wrap = (text: string, about: object, sender: object = {}): string =>
  `System: Feishu[default] message in group oc_9: ${text}\n` +
  block('Conversation info (untrusted metadata):', about) +
  block('Sender (untrusted metadata):', sender);

describe('feishu-inbound-router', { timeout: 60_000 }, () => {
  it('takes a wrapped message from stdin, and knows its sender by the map', async () => {
    const { json, root, write, tasks } = compatBoard();
    write('config/feishu-bot-openids.json', '{"byRole": {"coder": {"open_id": "ou_c"}}}');
    const hear = (stdin: string, ...more: string[]) =>
      json('feishu-inbound-router', ['--root', root, ...more], { stdin });
    const made = await hear(
      wrap('create task: first\nwith two lines', { sender: 'ou_ann', was_mentioned: true }),
    );
    expect(Object.keys(made)).toEqual(
      'code ok actor groupId text routerExitCode router routerStdout routerStderr'.split(' '),
    );
    expect(made).toMatchObject({
      code: 0,
      ok: true,
      actor: 'ou_ann',
      groupId: 'oc_9',
      text: '@orchestrator create task: first\nwith two lines',
      routerExitCode: 0,
      router: { intent: 'board_cmd', apply: { taskId: 'T-001' } },
    });
    expect(JSON.parse(String(made['routerStdout']))).toEqual(made['router']);
    await hear(wrap('claim T-001', { sender_id: 'ou_c', conversation_label: 'oc_1' }));
    expect(tasks()['T-001']).toMatchObject({ createdBy: 'ou_ann', owner: 'coder' });
    expect(await hear(wrap('block T-777', { sender: 'ou_ann' }))).toMatchObject({
      code: 1,
      routerExitCode: 1,
    });
    expect(await hear(' ')).toMatchObject({ code: 1, error: 'empty inbound payload' });
  });

  it('takes nobody for the orchestrator by name, and hears no bot that tells milestones', async () => {
    const { json, root, tasks } = compatBoard();
    const hear = (stdin: string) =>
      json('feishu-inbound-router', ['--root', root, '--milestones', 'off'], { stdin });
    const forged = await hear(wrap('dispatch T-001 coder', { sender: 'orchestrator' }));
    expect(forged['actor']).not.toBe('orchestrator');
    expect(forged).toMatchObject({ code: 1, ok: false });
    const told = wrap('[DONE] T-001 done', { sender: 'coder', was_mentioned: true }, { is_bot: true });
    expect(await hear(told)).toMatchObject({
      code: 0,
      intent: 'ignored_loop',
      actor: 'coder',
      routerExitCode: 0,
      router: { ok: true, handled: true, intent: 'ignored_loop' },
    });
    const own = wrap('create task: me', { sender: 'orchestrator' }, { is_bot: true });
    expect(await hear(own)).toMatchObject({ intent: 'ignored_loop' });
    await hear(wrap('create task: real', { sender: 'ann' }));
    expect(Object.keys(tasks())).toEqual(['T-001']);
  });
});

describe('what the original would send', { timeout: 60_000 }, () => {
  it('waits in the outbox once the board has a chat: answers, and not what the log tells', async () => {
    const { route, root } = compatBoard();
    const env = ['--group-id', 'oc_1'];
    expect((await route('status', ...env))['send']).toMatchObject({ queued: false, reason: 'no chat' });
    await route('create task: one', ...env);
    const { outbox } = boardMail(root);
    writeCursor(root, { seq: 0, group: 'oc_1' });
    expect((await route('status', ...env))['send']).toMatchObject({ ok: true, dryRun: false, queued: true });
    const claimed = await route('claim T-001', ...env);
    expect(at(claimed, 'publish.results.0.send')).toMatchObject({ queued: true });
    await route('clarify T-001 coder: which?', ...env);
    await route('status', ...env, '--milestones', 'dry-run');
    await route('status', ...env, '--milestones', 'off');
    expect(outbox.counts()).toEqual({ waiting: 2, dead: 0 });
    const dir = path.join(root, '.docket/board/outbox');
    const posts = fs
      .readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => fs.readFileSync(path.join(dir, name), 'utf8'));
    expect(posts.filter((text) => text.includes('oc_1'))).toHaveLength(2);
  });

  it('goes to BOARD_DEFAULT_GROUP_ID, and judges by the policy of BOARD_PLUGIN_ROOT below the own', async () => {
    const { json, root, write } = compatBoard();
    const plugin = compatBoard();
    plugin.write('config/acceptance-policy.json', '{"roles": {"coder": {"requireAny": ["banana"]}}}');
    plugin.write('config/feishu-bot-openids.json', '{"orchestrator": {"open_id": "ou_o", "name": "O"}}');
    const env = { BOARD_DEFAULT_GROUP_ID: 'oc_env', BOARD_PLUGIN_ROOT: plugin.root };
    const route = (text: string) =>
      json(
        'orchestrator-router',
        ['--root', root, '--text', text, '--actor', 'coder', '--milestones', 'off'],
        { env },
      );
    const made = await route('create task: one');
    expect(made['code']).toBe(0);
    await route('claim T-001');
    const done = 'done T-001: all tests pass, see out/test.log';
    expect((await route(done))['acceptance']).toMatchObject({ reasonCode: 'role_policy_missing_keyword' });
    write('config/acceptance-policy.json', '{"roles": {"coder": {"requireAny": ["tests"]}}}');
    await route('claim T-001');
    expect((await route(done))['acceptance']).toMatchObject({ ok: true });
    const status = await route('status');
    expect(at(status, 'send.payload.target')).toBe('chat:oc_env');
    await route('create task: two');
    const given = await route('@orchestrator run T-002');
    expect(given['reportTemplate']).toContain('<at user_id="ou_o">O</at>');
  });

  it('is told again by milestones publish-apply', async () => {
    const { json, root, route } = compatBoard();
    const publish = (applied: unknown, ...more: string[]) =>
      json('milestones', [
        'publish-apply',
        '--root',
        root,
        '--actor',
        'orchestrator',
        '--apply-json',
        JSON.stringify(applied),
        ...more,
      ]);
    const { apply } = await route('create task: one');
    expect(await publish(apply)).toMatchObject({
      code: 0,
      count: 1,
      results: [{ message: { prefix: '[TASK]' } }],
    });
    expect(await publish({ ok: false })).toMatchObject({
      skipped: true,
      reason: 'no milestone message for intent',
    });
    expect(await publish(apply, '--mode', 'off')).toMatchObject({ skipped: true, reason: 'mode=off' });
    expect(await publish('words')).toMatchObject({ code: 1, error: 'invalid apply json' });
  });
});
