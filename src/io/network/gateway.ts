import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { attempt } from '../io-error.ts';
import { authorityIn, type Host, isAllowed, isLoopback } from './hosts.ts';

interface GatewayOptions {
  /** Where it listens: a socket in a folder that is ours and the agent's. */
  socket: string;
  allowed: readonly Host[];
  /** docket's own environment: behind a proxy, we go through it. */
  env: Readonly<Record<string, string | undefined>>;
  onRefused: (what: string) => void;
}

export interface Gateway {
  close(): void;
}

/**
 * The only way out of a sandbox without a network: a proxy that connects to the hosts it was given and to no others. It
 * sees no content: what goes through is encrypted from end to end, but for hosts that are asked for without.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const { socket, onRefused } = options;
  const open = new Set<Duplex>();
  const tracked = (stream: Duplex): Duplex => {
    open.add(stream);
    stream.on('error', () => stream.destroy()); // either side may go at any time
    return stream.once('close', () => open.delete(stream));
  };
  const refused = (host: Host | undefined, text: string): boolean => {
    if (host && isAllowed(host, options.allowed)) return false;
    onRefused(host ? `${host.name}:${host.port}` : text.slice(0, 200));
    return true;
  };
  const server = http.createServer((request, response) => {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
    const host = url?.protocol === 'http:' ? authorityIn(url.host, 80) : undefined;
    if (refused(host, request.url ?? '') || !url || !host) return void response.writeHead(403).end(no);
    const { 'proxy-connection': _, 'proxy-authorization': _auth, ...headers } = request.headers;
    const onward = http.request(
      {
        host: bare(host.name),
        port: host.port,
        method: request.method,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host },
      },
      (said) => void said.pipe(response.writeHead(said.statusCode ?? 502, said.headers)),
    );
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    request.pipe(onward);
  });
  server.on('connection', tracked);
  server.on('connect', (request, client: Duplex, head: Buffer) => {
    const host = authorityIn(request.url ?? '', 443);
    if (refused(host, request.url ?? '') || !host) return void client.end(answer('403 Forbidden', no));
    connectThrough(host, options.env).then(
      (onward) => {
        tracked(onward);
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.write(head);
        return client.pipe(onward).pipe(client);
      },
      () => client.end(answer('502 Bad Gateway')),
    );
  });
  server.on('clientError', (_error, client) => client.destroy());
  await listening(server, socket);
  return {
    close() {
      server.close();
      for (const stream of open) stream.destroy();
    },
  };
}

const no = 'This host is not its provider: docket lets a task that nobody vouches for talk to no other.\n';

function answer(status: string, text = ''): string {
  return `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

function bare(name: string): string {
  return name.replaceAll(/^\[|\]$/g, '');
}

/** What an earlier docket left there is only a name. */
function listening(server: net.Server, socket: string): Promise<void> {
  attempt('remove', socket, () => fs.rmSync(socket, { force: true }));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.removeListener('error', reject);
      server.on('error', () => undefined); // one connection that could not be taken
      resolve();
    });
  });
}

const longestMs = 30_000;

/** A connection to a host: our own, or through the proxy that the user's environment names. */
function connectThrough(host: Host, env: Readonly<Record<string, string | undefined>>): Promise<Duplex> {
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
