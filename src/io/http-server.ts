import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DocketError } from '../errors.ts';
import { codeOf, ioError } from './io-error.ts';

export interface Asked {
  method: string;
  header(name: string): string;
  body: Buffer;
}

export interface Answered {
  status: number;
  json: unknown;
}

export interface HttpOptions {
  host: string;
  /** 0: any that is free. */
  port: number;
  maxBytes: number;
  signal: AbortSignal;
  onError: (error: unknown) => void;
}

const patienceMs = 10_000;
/** How often those that took longer are looked for; the default is half a minute. */
const checkMs = 1000;
const maxConnections = 200;

/** A small server for requests with a body and an answer in JSON. Strangers may call: everything has a limit. */
export async function listenHttp(
  { host, port, maxBytes, signal, onError }: HttpOptions,
  answer: (asked: Asked) => Promise<Answered>,
): Promise<{ port: number; closed: Promise<void> }> {
  const server = http.createServer(
    { requestTimeout: patienceMs, headersTimeout: patienceMs, connectionsCheckingInterval: checkMs },
    (request, response) => {
      const failed = (error: unknown): Answered => {
        onError(error);
        return { status: 500, json: { ok: false, error: 'docket could not take this in; try again' } };
      };
      answerTo(request, maxBytes, answer)
        .catch(failed)
        .then((answered) => write(answered, request, response))
        .catch(onError);
    },
  );
  makeRoomFor(server, maxConnections);
  const closed = new Promise<void>((resolve) => server.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  server.on('error', onError);
  const end = (): void => {
    server.close();
    server.closeAllConnections();
  };
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return { port: (server.address() as AddressInfo | null)?.port ?? port, closed };
}

/**
 * One connection too many takes the place of the one that has waited longest without a whole request: whoever opens
 * hundreds and says nothing must not keep the others out.
 */
function makeRoomFor(server: http.Server, most: number): void {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
    const [oldest] = silent;
    if (silent.size > most) oldest?.destroy();
  });
  // A request has a time limit of its own from here on.
  server.on('request', (request: http.IncomingMessage) =>
    request.once('end', () => silent.delete(request.socket)),
  );
}

function write(
  { status, json }: Answered,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  // What is left of a body that was too long is not read.
  response.writeHead(status, headers).end(JSON.stringify(json), () => status === 413 && request.destroy());
}

async function answerTo(
  request: http.IncomingMessage,
  maxBytes: number,
  answer: (asked: Asked) => Promise<Answered>,
): Promise<Answered> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes)
      return { status: 413, json: { ok: false, error: `a body may have ${maxBytes} bytes` } };
    chunks.push(chunk);
  }
  return answer({
    method: request.method ?? '',
    header: (name) => String(request.headers[name.toLowerCase()] ?? ''),
    body: Buffer.concat(chunks),
  });
}

function listenError(error: unknown, host: string, port: number): DocketError {
  const where = `${host}:${port}`;
  const known: Record<string, [string, string]> = {
    EADDRINUSE: ['something listens there already', 'choose another port, or end the other program'],
    EACCES: ['permission denied', 'choose a port above 1023'],
    EADDRNOTAVAIL: ['this machine does not have that address', 'use 127.0.0.1'],
    ENOTFOUND: ['there is no such host', 'use 127.0.0.1'],
  };
  const [what, fix] = known[codeOf(error) ?? ''] ?? [];
  if (what === undefined || fix === undefined) return ioError(error, 'listen on', where);
  return new DocketError('REFUSED', `cannot listen on ${where}: ${what}`, fix, { where });
}
