import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SendError } from '../../src/channel/send-error.ts';
import { webhookChannel } from '../../src/channel/webhook/channel.ts';
import { signatureOf } from '../../src/channel/webhook/post.ts';
import { scratch } from '../support/scratch.ts';
import { serving, text, until, type Serving } from '../support/serving.ts';

const secret = 'a secret of the tests';
const said = { id: 'm1', group: 'g1', sender: { openId: 'ann', name: 'Ann', isBot: false }, text: 'status' };

interface Posted {
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** Somebody else's chat: takes what is posted and answers with the status that comes next. */
async function receiver(...statuses: number[]): Promise<{ url: string; posted: Posted[] }> {
  const posted: Posted[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      posted.push({ headers: request.headers, body });
      const status = statuses.shift() ?? 200;
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : { 'retry-after': '0' });
      response.end('{"id":"their-id"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, posted };
}

async function listening(out: string): Promise<{ served: Serving; where: string }> {
  const channel = webhookChannel({ listen: { host: '127.0.0.1', port: 0 }, secret, out, groups: ['g1'] });
  const served = serving(channel, scratch(), (inbound) =>
    inbound.kind === 'action' ? { toast: 'ok' } : text('heard'),
  );
  return { served, where: await served.ready };
}

async function post(
  where: string,
  value: unknown,
  time = Date.now(),
  key = secret,
): Promise<[number, unknown]> {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  const seconds = String(Math.floor(time / 1000));
  const headers = { 'x-docket-timestamp': seconds, 'x-docket-signature': signatureOf(key, seconds, body) };
  const response = await fetch(where, { method: 'POST', body, headers });
  return [response.status, await response.json()];
}

/** Opens connections that never say anything. */
async function openSilently(where: string, count: number): Promise<void> {
  const { port } = new URL(where);
  const sockets = await Promise.all(
    Array.from({ length: count }, () => {
      const socket = net.connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined); // the server may hang up
      return new Promise<net.Socket>((resolve) => socket.once('connect', () => resolve(socket)));
    }),
  );
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
}

describe('the webhook', () => {
  it('stays open to others while somebody holds hundreds of silent connections', async () => {
    const { url } = await receiver();
    const { where } = await listening(url);
    await openSilently(where, 260);
    expect(await post(where, said)).toEqual([200, { ok: true }]);
  });

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://[fe80::1]/x',
    'https://metadata.google.internal/x',
    'http://example.com/x',
  ])('posts nothing to %s', (out) => {
    const make = () => webhookChannel({ listen: { host: '127.0.0.1', port: 0 }, secret, out });
    expect(make).toThrow('--out');
  });

  it('takes signed messages in and posts signed answers', async () => {
    const { url, posted } = await receiver(503);
    const { served, where } = await listening(url);
    expect(await post(where, said)).toEqual([200, { ok: true }]);
    await until(() => posted.length === 2);
    const [first, second] = posted;
    expect(JSON.parse(first!.body)).toEqual({
      v: 1,
      key: 'reply:webhook:message:m1',
      group: 'g1',
      kind: 'text',
      text: 'heard',
    });
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
    const time = String(first!.headers['x-docket-timestamp']);
    expect(first!.headers['x-docket-signature']).toBe(signatureOf(secret, time, first!.body));
    expect(served.handled).toMatchObject([said]);
  });

  it('answers a pressed button, and hears a repeated message once', async () => {
    const { url } = await receiver();
    const { served, where } = await listening(url);
    const press = { taskId: 'T-1', action: 'approve', times: 0 };
    const { text: _, ...from } = said;
    expect(await post(where, { ...from, id: 'a1', press })).toEqual([200, { ok: true, toast: 'ok' }]);
    await post(where, said);
    await post(where, { ...said, again: true });
    await post(where, { ...said, id: 'm2' });
    await until(() => served.handled.length >= 3);
    expect(served.handled.map(({ id }) => id)).toEqual(['a1', 'm1', 'm2']);
  });

  it.each([
    ['another secret', said, 0, 'another secret of tests', 401],
    ['an old request', said, -6 * 60_000, secret, 401],
    ['another group', { ...said, group: 'g2' }, 0, secret, 403],
    ['no sender', { ...said, sender: undefined }, 0, secret, 400],
    ['no JSON', 'create task: x; rm -rf /', 0, secret, 400],
  ])('refuses %s', async (_, value, shift, key, status) => {
    const { url, posted } = await receiver();
    const { served, where } = await listening(url);
    const [code, answer] = await post(where, value, Date.now() + shift, key);
    expect([code, answer]).toEqual([status, { ok: false, error: expect.any(String) }]);
    expect(served.handled).toEqual([]);
    expect(posted).toEqual([]);
  });

  it('refuses a request that was sent before', async () => {
    const { url } = await receiver();
    const { where } = await listening(url);
    const time = Date.now();
    expect((await post(where, said, time))[0]).toBe(200);
    expect((await post(where, said, time))[0]).toBe(401);
  });

  it('knows what can never be sent, and follows nobody elsewhere', async () => {
    const { url, posted } = await receiver(302, 400, 429);
    const channel = webhookChannel({ listen: { host: '127.0.0.1', port: 0 }, secret, out: url });
    const { signal } = new AbortController();
    const send = async (): Promise<unknown> =>
      channel
        .send({ key: 'k', group: 'g', content: { kind: 'text', text: 't' } }, signal)
        .catch((error: unknown) => (error as SendError).fate);
    expect(await send()).toEqual({ retry: 'never' });
    expect(await send()).toEqual({ retry: 'never' });
    expect(await send()).toEqual({ retry: 'later', wide: true, afterMs: 0 });
    expect(await send()).toEqual({ id: 'their-id' });
    expect(posted).toHaveLength(4);
  });

  it('has a secret that cannot be guessed, and an address that cannot be listened to', () => {
    const listen = { host: '127.0.0.1', port: 0 };
    expect(() => webhookChannel({ listen, secret: 'short', out: 'https://example.com' })).toThrow('guessed');
    expect(() => webhookChannel({ listen, secret, out: 'http://example.com' })).toThrow('https');
  });
});
