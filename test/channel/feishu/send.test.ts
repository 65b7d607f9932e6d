import { describe, expect, it } from 'vitest';
import type { Outbox } from '../../../src/channel/outbox.ts';
import { pump, type Trouble } from '../../../src/channel/pump.ts';
import { boardMail } from '../../../src/kinds/board/outbox.ts';
import { FeishuServer, groupId } from '../../support/feishu-server.ts';
import { scratch } from '../../support/scratch.ts';
import { feishu, until } from '../../support/serving.ts';

const say = (outbox: Outbox, ...words: string[]): Promise<number> =>
  outbox.enqueue(
    words.map((word) => ({ key: `event:${word}`, group: groupId, content: { kind: 'text', text: word } })),
  );

async function sendAll(server: FeishuServer, outbox: Outbox, count: number): Promise<Trouble[]> {
  const stop = new AbortController();
  const troubles: Trouble[] = [];
  const onTrouble = (trouble: Trouble) => troubles.push(trouble);
  const pumping = pump(outbox, feishu(server), { signal: stop.signal, backoff: () => 20, onTrouble });
  await until(() => outbox.spool.waiting().length === 0 && server.shown.length >= count);
  stop.abort();
  await pumping;
  return troubles;
}

describe('sending to Feishu', () => {
  it('gets a new token when the vendor does not know the old one any more', async () => {
    const server = await FeishuServer.start();
    const { outbox } = boardMail(scratch());
    const channel = feishu(server);
    const { signal } = new AbortController();
    await channel.send({ key: 'a', group: groupId, content: { kind: 'text', text: 'a' } }, signal);
    server.expireToken();
    await channel.send({ key: 'b', group: groupId, content: { kind: 'text', text: 'b' } }, signal);
    expect(server.texts).toEqual(['a', 'b']);
    expect(server.tokensGiven).toBe(2);
    expect(outbox.counts()).toEqual({ waiting: 0, dead: 0 });
  });

  it('waits as long as a 429 asks for, and keeps the order', async () => {
    const server = await FeishuServer.start();
    const { outbox } = boardMail(scratch());
    server.faults.push({ kind: 'limit', seconds: 0.1 }, { kind: 'error', status: 503, code: 0 });
    await say(outbox, 'one', 'two', 'three');
    const troubles = await sendAll(server, outbox, 3);
    expect(server.texts).toEqual(['one', 'two', 'three']);
    expect(troubles[0]).toMatchObject({ kind: 'retry', inMs: 100 });
    expect(troubles).toHaveLength(2);
  });

  it('shows a message once whose answer was lost', async () => {
    const server = await FeishuServer.start();
    const { outbox } = boardMail(scratch());
    server.faults.push({ kind: 'lose' });
    await say(outbox, 'one', 'two');
    await sendAll(server, outbox, 2);
    expect(server.texts).toEqual(['one', 'two']);
    expect(server.tries.length).toBe(3);
    expect(server.tries[0]!.uuid).toBe(server.tries[1]!.uuid);
  });

  it('waits out an outage', async () => {
    const server = await FeishuServer.start();
    const { outbox } = boardMail(scratch());
    server.isOut = true;
    await say(outbox, 'one', 'two');
    const stop = new AbortController();
    let troubles = 0;
    const onTrouble = () => (troubles += 1);
    const pumping = pump(outbox, feishu(server), { signal: stop.signal, backoff: () => 20, onTrouble });
    await until(() => troubles >= 3);
    server.isOut = false;
    await until(() => server.shown.length === 2);
    stop.abort();
    await pumping;
    expect(server.texts).toEqual(['one', 'two']);
  });

  it('gives up at once what can never be sent, goes on with the rest, and tries again when told to', async () => {
    const server = await FeishuServer.start();
    const { outbox } = boardMail(scratch());
    server.faults.push({ kind: 'error', status: 400, code: 230002 });
    await say(outbox, 'one', 'two');
    const troubles = await sendAll(server, outbox, 1);
    expect(server.texts).toEqual(['two']);
    expect(troubles).toMatchObject([{ kind: 'given-up', why: expect.stringContaining('230002') }]);
    expect(outbox.counts()).toEqual({ waiting: 0, dead: 1 });
    expect(await outbox.retryDead()).toBe(1);
    await sendAll(server, outbox, 2);
    expect(server.texts).toEqual(['two', 'one']);
  });

  it('mentions whom the map knows, and never everybody', async () => {
    const server = await FeishuServer.start();
    const { outbox } = boardMail(scratch());
    await say(
      outbox,
      '<at user_id="ou_coder">Coder</at> <at user_id="all">all</at> <at user_id="ou_x">X</at>',
    );
    await sendAll(server, outbox, 1);
    expect(server.texts).toEqual(['<at user_id="ou_coder">Coder</at> @all @X']);
  });
});
