import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { decodeFrame, encodeFrame } from './feishu-frame.ts';
import { ServerSocket } from './feishu-socket.ts';

export const appId = 'cli_0123456789abcdef';
export const appSecret = 'a-secret-of-the-app';
export const botId = 'ou_orchestrator';
export const groupId = 'oc_group';

export interface Shown {
  group: string;
  type: string;
  content: unknown;
  uuid: string;
}

/** What happens to the next request for a message; `lose`: it is taken, and the answer never arrives. */
type Fault =
  | { kind: 'limit'; seconds: number }
  | { kind: 'error'; status: number; code: number }
  | { kind: 'lose' };

/** As much of Feishu as docket talks to, on loopback: tokens, messages with their uuid, the long connection. */
export class FeishuServer {
  /** What people see. */
  readonly shown: Shown[] = [];
  /** Every request that carried a message, seen or not. */
  readonly tries: Shown[] = [];
  readonly faults: Fault[] = [];
  tokensGiven = 0;
  isOut = false;
  #token = '';
  readonly #sockets = new Set<ServerSocket>();
  readonly #acks = new Map<string, (answer: { code: number; data: unknown }) => void>();
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
  }

  static async start(): Promise<FeishuServer> {
    const server = http.createServer();
    const feishu = new FeishuServer(server);
    server.on('request', (request, response) => void feishu.#answer(request, response));
    server.on('upgrade', (request, socket) => {
      if (feishu.isOut) return void socket.destroy();
      const own = new ServerSocket(request, socket, (message) => feishu.#onFrame(own, message));
      feishu.#sockets.add(own);
      socket.on('close', () => feishu.#sockets.delete(own));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      feishu.dropConnections();
      server.closeAllConnections();
      server.close();
    });
    return feishu;
  }

  get domain(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  get texts(): string[] {
    return this.shown.flatMap(({ content }) => (content as { text?: string }).text ?? []);
  }

  /** The token that everybody has is of no use any more. */
  expireToken(): void {
    this.#token = '';
  }

  dropConnections(): void {
    for (const socket of this.#sockets) socket.drop();
  }

  /** Down the long connection; the client's answer, as the vendor reads it. */
  async deliver(event: object): Promise<{ code: number; data: unknown }> {
    const [socket] = this.#sockets;
    if (!socket) throw new Error('nobody is connected');
    const id = randomUUID();
    const headers = { type: 'event', message_id: id, sum: '1', seq: '0', trace_id: id };
    const answer = new Promise<{ code: number; data: unknown }>((resolve) => this.#acks.set(id, resolve));
    socket.send(encodeFrame({ service: 1, method: 1, headers, payload: Buffer.from(JSON.stringify(event)) }));
    return answer;
  }

  #onFrame(socket: ServerSocket, message: Buffer): void {
    const { method, headers, payload, service } = decodeFrame(message);
    if (method === 0) {
      const pong = Buffer.from(JSON.stringify(clientConfig));
      socket.send(encodeFrame({ service, method: 0, headers: { type: 'pong' }, payload: pong }));
      return;
    }
    const { code, data } = JSON.parse(payload.toString('utf8')) as { code: number; data?: string };
    const value: unknown = data && JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
    this.#acks.get(headers['message_id']!)?.({ code, data: value });
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (this.isOut) return void request.socket.destroy();
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body = (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
    const say = (status: number, json: object, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(json));
    const path = request.url?.split('?')[0];
    if (path === '/open-apis/auth/v3/tenant_access_token/internal') {
      if (body['app_secret'] !== appSecret) return void say(200, { code: 10014, msg: 'app secret invalid' });
      this.tokensGiven += 1;
      this.#token = `t-${this.tokensGiven}`;
      return void say(200, { code: 0, msg: 'ok', tenant_access_token: this.#token, expire: 7200 });
    }
    if (path === '/callback/ws/endpoint') {
      const URL = `${this.domain.replace('http', 'ws')}/ws?device_id=1&service_id=1`;
      return void say(200, { code: 0, msg: '', data: { URL, ClientConfig: clientConfig } });
    }
    const isAllowed = this.#token !== '' && request.headers.authorization === `Bearer ${this.#token}`;
    if (!isAllowed) return void say(400, { code: 99991663, msg: 'Invalid access token for authorization' });
    if (path === '/open-apis/bot/v3/info')
      return void say(200, { code: 0, msg: 'ok', bot: { open_id: botId, app_name: 'docket' } });
    if (path === '/open-apis/im/v1/messages') return this.#message(body, say, request);
    say(404, { code: 404, msg: 'no such thing' });
  }

  #message(
    body: Record<string, string>,
    say: (status: number, json: object, headers?: Record<string, string>) => void,
    request: http.IncomingMessage,
  ): void {
    const { receive_id: group = '', msg_type: type = '', uuid = '' } = body;
    const message = { group, type, uuid, content: JSON.parse(body['content'] ?? 'null') as unknown };
    this.tries.push(message);
    const fault = this.faults.shift();
    if (fault?.kind === 'limit')
      return say(429, { code: 99991400, msg: 'limit' }, { 'x-ogw-ratelimit-reset': String(fault.seconds) });
    if (fault?.kind === 'error') return say(fault.status, { code: fault.code, msg: 'refused by the test' });
    if (uuid.length > 50) return say(400, { code: 230001, msg: 'uuid is too long' });
    if (!this.shown.some((seen) => seen.uuid === uuid)) this.shown.push(message);
    if (fault?.kind === 'lose') return void request.socket.destroy();
    say(200, { code: 0, msg: 'ok', data: { message_id: `om_${uuid}` } });
  }
}

const clientConfig = { PingInterval: 120, ReconnectCount: -1, ReconnectInterval: 0.05, ReconnectNonce: 0 };
