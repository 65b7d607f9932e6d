import { describe, expect, it } from 'vitest';
import { boardMail } from '../../../src/kinds/board/outbox.ts';
import { actionEvent, messageEvent } from '../../support/feishu-events.ts';
import { botId, FeishuServer, groupId } from '../../support/feishu-server.ts';
import { scratch } from '../../support/scratch.ts';
import { feishu, serving, text, until } from '../../support/serving.ts';

describe('the long connection', () => {
  it('answers somebody who writes, by the name that commands know the bot by', async () => {
    const server = await FeishuServer.start();
    const { handled, ready } = serving(feishu(server), scratch(), (inbound) =>
      text(inbound.kind === 'message' ? `[TASK] ${inbound.text}` : ''),
    );
    await ready;
    const ack = await server.deliver(messageEvent({ id: 'om_1', text: 'status', mentionsBot: true }));
    await until(() => server.shown.length === 1);
    expect(ack.code).toBe(200);
    expect(server.texts).toEqual(['[TASK] @orchestrator status']);
    expect(handled).toMatchObject([
      {
        id: 'om_1',
        group: groupId,
        sender: { openId: 'ou_ann', isBot: false },
        mentions: [{ openId: botId }],
      },
    ]);
  });

  it('acts once on what is delivered twice, also after a restart', async () => {
    const server = await FeishuServer.start();
    const root = scratch();
    const first = serving(feishu(server), root, () => text('done'));
    await first.ready;
    const event = messageEvent({ id: 'om_1', text: 'create task: x' });
    await Promise.all([server.deliver(event), server.deliver(event)]);
    await until(() => server.shown.length === 1);
    await first.stop();
    await until(() => server.connections === 0);
    const second = serving(feishu(server), root, () => text('done'));
    await second.ready;
    await server.deliver(event);
    await server.deliver(messageEvent({ id: 'om_2', text: 'status' }));
    await until(() => second.handled.length > 0);
    expect(first.handled.map(({ id }) => id)).toEqual(['om_1']);
    expect(second.handled.map(({ id }) => id)).toEqual(['om_2']);
  });

  it('acts in the order of speaking, not of arrival', async () => {
    const server = await FeishuServer.start();
    const { handled, ready } = serving(feishu(server), scratch());
    await ready;
    const at = Date.now();
    await server.deliver(messageEvent({ id: 'om_2', text: 'claim task T-001', at: at + 5 }));
    await server.deliver(messageEvent({ id: 'om_1', text: 'create task T-001: x', at }));
    await until(() => handled.length === 2);
    expect(handled.map(({ id }) => id)).toEqual(['om_1', 'om_2']);
  });

  it('does not hear itself, nor groups that it was not told to listen to', async () => {
    const server = await FeishuServer.start();
    const { handled, notes, ready } = serving(feishu(server), scratch());
    await ready;
    await server.deliver(messageEvent({ id: 'om_1', text: '[DONE] T-001', from: botId, senderType: 'app' }));
    await server.deliver(messageEvent({ id: 'om_2', text: 'status', group: 'oc_other' }));
    await server.deliver(messageEvent({ id: 'om_3', text: 'status', from: 'ou_coder', senderType: 'app' }));
    await until(() => handled.length === 1);
    expect(handled).toMatchObject([{ id: 'om_3', sender: { name: 'coder', isBot: true } }]);
    expect(notes).toContainEqual({ kind: 'ignored', why: 'own', group: groupId });
    expect(notes).toContainEqual({ kind: 'ignored', why: 'group', group: 'oc_other' });
  });

  it('sends a card and answers who presses its button', async () => {
    const server = await FeishuServer.start();
    const root = scratch();
    const press = { taskId: 'T-001', action: 'approve', times: 2 };
    const card = {
      title: 'T-001',
      lines: ['<at id=all></at> **bold**'],
      buttons: [{ label: 'Approve', look: 'good' as const, press }],
    };
    const { outbox } = boardMail(root);
    await outbox.enqueue([{ key: 'e1', group: groupId, content: { kind: 'card', card } }]);
    const { handled, ready } = serving(feishu(server), root, () => ({ toast: 'approved' }));
    await ready;
    await until(() => server.shown.length === 1);
    const { elements } = server.shown[0]!.content as {
      elements: { text?: { tag: string }; actions?: { value: object }[] }[];
    };
    expect(elements[0]?.text?.tag).toBe('plain_text');
    const ack = await server.deliver(actionEvent('ev_1', elements[1]!.actions![0]!.value));
    const again = await server.deliver(actionEvent('ev_1', press));
    expect(ack.data).toEqual({ toast: { type: 'info', content: 'approved' } });
    expect(again.code).toBe(200);
    expect(handled).toMatchObject([{ kind: 'action', press, sender: { openId: 'ou_ann' } }]);
  });

  it('connects again when the connection is lost', async () => {
    const server = await FeishuServer.start();
    const { handled, notes, ready } = serving(feishu(server), scratch());
    await ready;
    server.dropConnections();
    await until(() => notes.some((note) => note.kind === 'connection' && note.state === 'back'));
    await server.deliver(messageEvent({ id: 'om_1', text: 'status' }));
    await until(() => handled.length === 1);
    expect(notes).toContainEqual({ kind: 'connection', state: 'lost' });
  });

  it('says at once that the secret is wrong, and does not tell it', async () => {
    const server = await FeishuServer.start();
    const config = {
      appId: 'cli_0123456789abcdef',
      appSecret: 'nonsense',
      domain: server.domain,
      groups: [],
    };
    const { done } = serving(feishu(server, { config }), scratch());
    await expect(done).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('10014') });
    await expect(done).rejects.not.toMatchObject({ message: expect.stringContaining('nonsense') });
  });
});
