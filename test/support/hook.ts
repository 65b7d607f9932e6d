import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Hook {
  url: string;
  got: { key: string; text: string }[];
  answer: number;
}

/** Takes what is posted to it. */
export async function hook(): Promise<Hook> {
  const own: Hook = { url: '', got: [], answer: 200 };
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      if (own.answer === 200) own.got.push(JSON.parse(body) as Hook['got'][number]);
      response.writeHead(own.answer).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return own;
}
