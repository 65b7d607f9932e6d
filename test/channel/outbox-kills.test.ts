import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boardMail } from '../../src/kinds/board/outbox.ts';
import { ended, startNode } from '../support/child.ts';
import { scratch } from '../support/scratch.ts';

/** A receiver that shows each key once, and does something of the test's own before it answers. */
async function receiver(
  before: (count: number) => void,
): Promise<{ url: string; shown: string[]; posts: () => number }> {
  const shown: string[] = [];
  let posts = 0;
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      posts += 1;
      const { key } = JSON.parse(body) as { key: string };
      if (!shown.includes(key)) shown.push(key);
      before(posts);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, shown, posts: () => posts };
}

describe('an outbox under kill -9', () => {
  it('loses nothing and shows everything once, in order, when its sender is killed again and again', async () => {
    const root = scratch();
    const { outbox } = boardMail(root);
    const keys = Array.from({ length: 12 }, (_, index) => `g:${index}`);
    await outbox.enqueue(keys.map((key) => ({ key, group: 'g', content: { kind: 'text', text: key } })));
    let kill: () => void = () => undefined;
    // Every third message kills its sender after it was taken and before it is marked as sent.
    const { url, shown, posts } = await receiver((count) => count % 3 === 0 && kill());
    let rounds = 0;
    while (outbox.counts().waiting > 0) {
      const child = startNode('outbox.mjs', [root, 'pump', url]);
      kill = () => child.kill('SIGKILL');
      await ended(child);
      rounds += 1;
    }
    expect(shown).toEqual(keys);
    expect(posts()).toBeGreaterThan(keys.length);
    expect(rounds).toBeGreaterThan(3);
    expect(outbox.counts()).toEqual({ waiting: 0, dead: 0 });
  });

  it('takes from many processes at once what has the same key once', async () => {
    const root = scratch();
    const keys = Array.from({ length: 20 }, (_, index) => `g:${index}`);
    const children = Array.from({ length: 6 }, () => ended(startNode('outbox.mjs', [root, 'put', ...keys])));
    const added = (await Promise.all(children)).map(({ out }) => Number(out));
    const { outbox } = boardMail(root);
    const waiting = outbox.spool.waiting();
    expect(added.reduce((sum, count) => sum + count, 0)).toBe(keys.length);
    expect(waiting.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    expect(new Set(waiting.map(({ number }) => number)).size).toBe(keys.length);
  });
});
