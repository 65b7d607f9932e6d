import { describe, expect, it } from 'vitest';
import { actionEvent, callback, messageEvent } from '../../support/feishu-events.ts';
import { appId, appSecret, FeishuServer, groupId } from '../../support/feishu-server.ts';
import { scratch } from '../../support/scratch.ts';
import { feishu, serving, text, until, type Serving } from '../../support/serving.ts';

const encryptKey = 'the key of the tests';

/** Serves requests of Feishu; `post` gives the status and the answer. */
async function listening(): Promise<{
  server: FeishuServer;
  served: Serving;
  post: (request: { body: string; headers: Record<string, string> }) => Promise<[number, unknown]>;
}> {
  const server = await FeishuServer.start();
  const secrets = { encryptKey, verificationToken: 'verify-me' };
  const config = { appId, appSecret, domain: server.domain, groups: [groupId], ...secrets };
  const channel = feishu(server, { config, listen: { host: '127.0.0.1', port: 0 } });
  const served = serving(channel, scratch(), (inbound) =>
    inbound.kind === 'action' ? { toast: 'approved' } : text('heard'),
  );
  const where = await served.ready;
  const post = async (request: { body: string; headers: Record<string, string> }) => {
    const response = await fetch(where, { method: 'POST', ...request });
    return [response.status, await response.json()] as [number, unknown];
  };
  return { server, served, post };
}

describe('requests of Feishu to an address of ours', () => {
  it('answers the question whether the address is ours, for who knows the token', async () => {
    const { post } = await listening();
    const ask = (token: string) => {
      const { body } = callback({ type: 'url_verification', challenge: 'abc', token }, encryptKey);
      return post({ body, headers: {} });
    };
    expect(await ask('verify-me')).toEqual([200, { challenge: 'abc' }]);
    expect((await ask('another'))[0]).toBe(401);
  });

  it('takes in messages and presses of buttons', async () => {
    const { post, server, served } = await listening();
    const event = messageEvent({ id: 'om_1', text: 'status', mentionsBot: true });
    expect(await post(callback(event, encryptKey))).toEqual([200, {}]);
    const press = { taskId: 'T-001', action: 'approve', times: 1 };
    const [status, answer] = await post(callback(actionEvent('ev_1', press), encryptKey));
    expect([status, answer]).toEqual([200, { toast: { type: 'info', content: 'approved' } }]);
    await until(() => server.shown.length === 1);
    expect(served.handled.map(({ kind }) => kind).toSorted()).toEqual(['action', 'message']);
    expect(server.texts).toEqual(['heard']);
  });

  const event = messageEvent({ id: 'om_1', text: 'create task: forged' });
  const wrongApp = { ...event, header: { app_id: 'cli_other', token: 'verify-me' } };
  it.each([
    ['a wrong signature', () => callback(event, encryptKey, { signature: 'f'.repeat(64) })],
    ['no signature', () => callback(event, encryptKey, { signature: '' })],
    ['another key', () => callback(event, 'another key')],
    ['an old one', () => callback(event, encryptKey, { time: Date.now() - 6 * 60_000 })],
    ['one from the future', () => callback(event, encryptKey, { time: Date.now() + 6 * 60_000 })],
    ['one for another app', () => callback(wrongApp, encryptKey)],
    ['one that is not encrypted', () => ({ body: JSON.stringify(event), headers: {} })],
    ['one that is no JSON', () => ({ body: '{"encrypt":', headers: {} })],
    ['one without a nonce', () => callback(event, encryptKey, { nonce: '' })],
  ])('refuses %s', async (_, request) => {
    const { post, served } = await listening();
    expect(await post(request())).toEqual([401, { ok: false, error: 'refused' }]);
    const good = messageEvent({ id: 'om_2', text: 'status' });
    expect((await post(callback(good, encryptKey)))[0]).toBe(200);
    await until(() => served.handled.length > 0);
    expect(served.handled.map(({ id }) => id)).toEqual(['om_2']);
    expect(served.notes.some((note) => note.kind === 'refused')).toBe(true);
  });

  it('refuses what was recorded and sent again', async () => {
    const { post } = await listening();
    const request = callback(event, encryptKey);
    expect((await post(request))[0]).toBe(200);
    expect((await post(request))[0]).toBe(401);
  });

  it('does not read a body without an end', async () => {
    const { post } = await listening();
    const body = 'x'.repeat(1024 * 1024 + 1);
    const status = await post({ body, headers: {} }).then(
      ([code]) => code,
      () => 413, // the connection may be cut before all of it was sent
    );
    expect(status).toBe(413);
  });

  it('does not start without the key that tells forged requests', async () => {
    const server = await FeishuServer.start();
    const { done } = serving(feishu(server, { listen: { host: '127.0.0.1', port: 0 } }), scratch());
    await expect(done).rejects.toMatchObject({ code: 'USAGE', fix: expect.stringContaining('Encrypt Key') });
  });
});
