import { expect, it } from 'vitest';
import { type Incoming, JsonRpc } from '../../src/adapters/json-rpc.ts';
import type { Line } from '../../src/io/process/process.ts';

/** The other side, by hand: what it says and what it was told. */
function peer(...texts: (string | Line)[]) {
  const sent: unknown[] = [];
  const rpc = new JsonRpc({
    async *lines() {
      for (const text of texts) {
        await Promise.resolve();
        yield typeof text === 'string' ? { text } : text;
      }
    },
    send: (text) => {
      expect(text.endsWith('\n')).toBe(true);
      sent.push(JSON.parse(text));
      return Promise.resolve();
    },
  });
  return { rpc, sent };
}

async function all(rpc: JsonRpc): Promise<Incoming[]> {
  const messages: Incoming[] = [];
  for await (const message of rpc.messages()) messages.push(message);
  return messages;
}

it('settles calls by their id, in whatever order the answers come', async () => {
  const { rpc, sent } = peer('{"id":2,"result":"two"}', '{"id":1,"error":{"code":-5,"message":"no"}}');
  const first = rpc.call('a', {});
  const second = rpc.call('b', { x: 1 });
  await all(rpc);
  await expect(second).resolves.toBe('two');
  await expect(first).rejects.toMatchObject({ name: 'RpcError', message: 'no', code: -5 });
  expect(sent).toEqual([
    { id: 1, method: 'a', params: {} },
    { id: 2, method: 'b', params: { x: 1 } },
  ]);
});

it('leaves no call waiting when the other side ends', async () => {
  const { rpc } = peer();
  const call = rpc.call('a', {});
  await all(rpc);
  await expect(call).rejects.toThrow('ended before it answered');
  await expect(rpc.call('b', {})).rejects.toThrow('nobody is there');
});

it('tells requests, notices, answers and the rest apart', async () => {
  const { rpc } = peer(
    '{"id":0,"method":"ask","params":{"q":1}}',
    '{"method":"note"}',
    '{"id":"x","result":null}',
    '',
    'a warning on stdout',
    '[1]',
    '{"id":{},"result":1}',
    '{"id":3}',
    { text: '{"method":"long', cut: 5000 },
  );
  expect(await all(rpc)).toEqual([
    { kind: 'request', id: 0, method: 'ask', params: { q: 1 } },
    { kind: 'notice', method: 'note', params: undefined },
    { kind: 'result', result: null },
    { kind: 'stray', text: 'a warning on stdout' },
    { kind: 'stray', text: '[1]' },
    { kind: 'stray', text: '{"id":{},"result":1}' },
    { kind: 'stray', text: '{"id":3}' },
    { kind: 'stray', text: 'a line of 5000 bytes was too long' },
  ]);
});

it('answers and refuses', async () => {
  const { rpc, sent } = peer();
  await rpc.answer(0, { decision: 'accept' });
  await rpc.refuse('x', 'not here');
  expect(sent).toEqual([
    { id: 0, result: { decision: 'accept' } },
    { id: 'x', error: { code: -32601, message: 'not here' } },
  ]);
});
