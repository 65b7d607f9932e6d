import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { isLoopback, type Host } from './hosts.ts';

const longestMs = 30_000;

/** A connection to a host: our own, or through the proxy that the user's environment names. */
export function connectThrough(
  host: Host,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Duplex> {
  const named = env['HTTPS_PROXY'] || env['https_proxy'] || env['ALL_PROXY'] || env['all_proxy'];
  const proxy = named && URL.canParse(named) ? new URL(named) : undefined;
  if (!proxy || !/^https?:$/.test(proxy.protocol) || isLoopback(host)) return direct(host);
  return byProxy(host, proxy);
}

function direct({ name, port }: Host): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: name.replaceAll(/^\[|\]$/g, ''), port, timeout: longestMs });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('it took too long')));
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeListener('error', reject);
      resolve(socket);
    });
  });
}

function byProxy({ name, port }: Host, proxy: URL): Promise<Duplex> {
  const authority = `${name}:${port}`;
  const login = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return new Promise((resolve, reject) => {
    const request = http.request({
      host: proxy.hostname.replaceAll(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      timeout: longestMs,
      headers: {
        host: authority,
        ...(login !== ':' && { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
      },
      ...(proxy.protocol === 'https:' && {
        createConnection: () =>
          tls.connect({ host: proxy.hostname, port: Number(proxy.port || 443), servername: proxy.hostname }),
      }),
    });
    request.once('timeout', () => request.destroy(new Error('it took too long')));
    request.once('error', reject);
    request.once('connect', ({ statusCode }, socket, head) => {
      if (statusCode !== 200)
        return (void socket.destroy(), reject(new Error(`the proxy said ${statusCode}`)));
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    request.end();
  });
}
