import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openGateway } from '../../src/io/network/gateway.ts';
import { authorityIn, hostIn, isAllowed, type Host } from '../../src/io/network/hosts.ts';
import { scratch } from '../support/scratch.ts';

const allowed = ['api.example.com', '*.models.example', '127.0.0.1:8123'].flatMap(
  (text) => hostIn(text) ?? [],
);

it.each([
  ['api.example.com:443', true],
  ['API.example.com', true],
  ['api.example.com:80', false],
  ['api.example.com.evil.invalid', false],
  ['evil-api.example.com', false],
  ['eu.models.example', true],
  ['models.example', false],
  ['xmodels.example', false],
  ['127.0.0.1:8123', true],
  ['127.0.0.1:22', false],
  ['*.models.example', false],
  ['api.example.com@evil.invalid', false],
  ['', false],
])('%s may be reached: %s', (asked, may) => {
  const host = authorityIn(asked, 443);
  expect(host !== undefined && isAllowed(host, allowed)).toBe(may);
});

/** What comes back on a connection through the gateway. */
async function through(socket: string, words: string): Promise<string> {
  const client = net.connect(socket);
  client.write(words);
  let said = '';
  client.setEncoding('utf8');
  for await (const chunk of client) {
    said += chunk as string;
    if (said.includes('hello')) break;
  }
  return said;
}

async function listening(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function gateway(hosts: Host[], env: Record<string, string> = {}) {
  const socket = path.join(scratch(), 's');
  const refused: string[] = [];
  const opened = await openGateway({
    socket,
    allowed: hosts,
    env,
    onRefused: (what) => refused.push(what),
  });
  onTestFinished(() => opened.close());
  return { socket, refused };
}

it('connects to whom it was given, with and without a tunnel, and tells whom it refused', async () => {
  const port = await listening(http.createServer((_, response) => response.end('hello')));
  const { socket, refused } = await gateway([{ name: '127.0.0.1', port }]);
  const get = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const tunnel = `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`;
  expect(await through(socket, `${tunnel}${get}`)).toMatch(/ 200 OK[^]*hello/);
  expect(await through(socket, get.replace('/', `http://127.0.0.1:${port}/a`))).toMatch(/ 200 [^]*hello/);
  expect(await through(socket, 'CONNECT evil.invalid:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toContain(' 403 ');
  expect(await through(socket, get.replace('/', 'http://evil.invalid/'))).toContain(' 403 ');
  expect(await through(socket, get.replace('/', 'file:///etc/passwd'))).toContain(' 403 ');
  expect(refused).toEqual(['evil.invalid:443', 'evil.invalid:80', 'file:///etc/passwd']);
});

it('goes through the proxy that the user’s environment names', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = http.createServer();
  proxy.on('connect', ({ url, headers }, client) => {
    asked.push(url, headers['proxy-authorization']);
    client.end('HTTP/1.1 200 OK\r\n\r\nhello');
  });
  const port = await listening(proxy);
  const { socket } = await gateway([{ name: 'api.example.com', port: 443 }], {
    HTTPS_PROXY: `http://me:pw@127.0.0.1:${port}`,
  });
  expect(await through(socket, 'CONNECT api.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toContain('hello');
  expect(asked).toEqual(['api.example.com:443', `Basic ${Buffer.from('me:pw').toString('base64')}`]);
});
