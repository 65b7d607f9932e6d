import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { setProbe } from '../../src/io/fault.ts';
import type { Store } from '../../src/store/store.ts';
import { byId, create, eventsAfter, finish, fold, retitled, run, send } from '../conformance/support.ts';
import { journalOf, lookAt, openStore, scratch, storeFile } from '../support/scratch.ts';

afterEach(() => setProbe(undefined));

const state = async (backend: Store) => byId(await backend.list({ removed: true }));

async function fill(backend: Store, name: string): Promise<void> {
  await create(backend, `${name}-waits`);
  await create(backend, `${name}-done`);
  await finish(backend, `${name}-done`);
  await create(backend, `${name}-gone`);
  await run(backend, { type: 'cancel', id: `${name}-gone`, reason: 'no' }, `cancel ${name}`);
  await run(backend, { type: 'remove', id: `${name}-gone`, reason: 'tidy' });
}
const eventsOfFill = 7;

it('has the same state after it was closed and opened', async () => {
  const root = scratch();
  const backend = await openStore(root);
  await fill(backend, 'a');
  const before = await state(backend);
  expect(before).toHaveLength(3);
  await backend.close();
  expect(await state(await openStore(root))).toEqual(before);
  expect(byId(lookAt(root).tasks)).toEqual(before);
});

it('keeps state, keys and history when the journal is compacted', async () => {
  const root = scratch();
  const backend = await openStore(root);
  await fill(backend, 'a');
  await backend.compact();
  await fill(backend, 'b');
  await backend.compact();
  await fill(backend, 'c');
  const before = await state(backend);
  const log = await eventsAfter(backend, 0, 3 * eventsOfFill);
  expect(byId(fold(log).values())).toEqual(before);
  expect(await eventsAfter(backend, eventsOfFill + 2, 2 * eventsOfFill - 2)).toEqual(
    log.slice(eventsOfFill + 2),
  );
  await backend.close();
  expect(fs.readdirSync(storeFile(root, 'archive'))).toHaveLength(2);
  expect(fs.readFileSync(journalOf(root), 'utf8').split('\n')).toHaveLength(eventsOfFill + 2);

  const again = await openStore(root);
  expect(await state(again)).toEqual(before);
  expect(await eventsAfter(again, 0, log.length)).toEqual(log);
  const retry = await send(again, { type: 'cancel', id: 'a-gone', reason: 'no' }, 'cancel a');
  expect(retry).toMatchObject({ ok: true, duplicate: true });
});

it('compacts nothing when nothing has happened since', async () => {
  const root = scratch();
  const backend = await openStore(root);
  await backend.compact();
  expect(fs.existsSync(storeFile(root, 'archive'))).toBe(false);
  await create(backend, 'a');
  await backend.compact();
  await backend.compact();
  expect(fs.readdirSync(storeFile(root, 'archive'))).toHaveLength(1);
});

it('is followed piece by piece when its past is long, also where a transaction is in two pieces', async () => {
  const root = scratch();
  const backend = await openStore(root);
  const long = 'x'.repeat(90_000);
  const fillLong = async (name: string): Promise<void> => {
    for (let at = 0; at < 20; at += 1) {
      const events = [0, 1, 2].map((part) => retitled(`${name}-${at}`, `${part}${long}`));
      await create(backend, `${name}-${at}`);
      await backend.transact({ events, expect: {} });
    }
  };
  await fillLong('a');
  expect(await backend.last()).toMatchObject({ seq: 80, data: { set: { title: `2${long}` } } });
  await backend.compact();
  expect(await backend.last()).toMatchObject({ seq: 80, taskId: 'a-19' });
  await fillLong('b');
  await backend.close();
  const again = await openStore(root);
  expect(await again.last()).toMatchObject({ seq: 160, taskId: 'b-19' });
  for (const after of [0, 37, 79, 80, 120]) {
    const events = await eventsAfter(again, after, 160 - after);
    expect(events.map(({ seq }) => seq)).toEqual(
      Array.from({ length: 160 - after }, (_, at) => after + at + 1),
    );
  }
});

it('goes on for readers and writers who had the store open', async () => {
  const root = scratch();
  const backend = await openStore(root);
  const other = await openStore(root);
  await fill(backend, 'a');
  const abort = new AbortController();
  const seen: number[] = [];
  const reader = (async () => {
    for await (const { seq } of other.tail({ after: 0, signal: abort.signal })) seen.push(seq);
  })();
  await create(other, 'before');
  await backend.compact();
  expect((await other.get('before'))?.rev).toBe(eventsOfFill + 1);
  await create(other, 'after');
  await fill(backend, 'b');
  const total = 2 * eventsOfFill + 2;
  while (seen.length < total) await new Promise((resolve) => setTimeout(resolve, 2));
  abort.abort();
  await reader;
  expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  expect(await state(other)).toEqual(await state(backend));
});

it('goes on for those who slept through several compactions', async () => {
  const root = scratch();
  const backend = await openStore(root);
  const sleeper = await openStore(root);
  await create(backend, 'first');
  const abort = new AbortController();
  const tail = sleeper.tail({ after: 0, signal: abort.signal })[Symbol.asyncIterator]();
  const seen = [(await tail.next()).value?.seq];
  for (const name of ['a', 'b', 'c']) {
    await fill(backend, name);
    await backend.compact();
  }
  await create(backend, 'last');
  expect(await state(sleeper)).toEqual(await state(backend));
  await create(sleeper, 'more');
  const total = 3 * eventsOfFill + 3;
  while (seen.length < total) seen.push((await tail.next()).value?.seq);
  abort.abort();
  await tail.return?.();
  expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  expect(await state(sleeper)).toEqual(await state(backend));
});

it('lists tasks in the order of their making, also after a snapshot has sorted out the finished ones', async () => {
  const root = scratch();
  const backend = await openStore(root);
  for (const id of ['t1', 't2', 't10']) await create(backend, id);
  await finish(backend, 't1');
  await backend.compact();
  await backend.close();
  expect(lookAt(root).tasks.map(({ id }) => id)).toEqual(['t1', 't2', 't10']);
  const again = await openStore(root);
  expect((await again.list()).map(({ id }) => id)).toEqual(['t1', 't2', 't10']);
  await again.close();
});

it('answers truthfully when a compaction comes while a slow disk is flushing', async () => {
  const root = scratch();
  const backend = await openStore(root);
  await create(backend, 'first');
  // A disk that needs longer than a moment is flushed beside the work: from the second flush on.
  setProbe((moment, call) => {
    if (moment === 'before' && call === 'fsync')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  });
  await create(backend, 'slow');
  const sent = [];
  for (let round = 0; round < 10; round += 1) {
    sent.push(create(backend, `during-${round}`), backend.compact());
    await new Promise(setImmediate);
  }
  await Promise.all(sent);
  sent.push(create(backend, 'last'));
  await backend.close();
  await Promise.all(sent);
  setProbe(undefined);
  expect(await state(await openStore(root))).toHaveLength(13);
});

it.each(['deleted', 'cut off', 'garbage', 'empty', 'of another journal'])(
  'needs no snapshot: one that is %s changes nothing',
  async (damage) => {
    const root = scratch();
    const backend = await openStore(root);
    const snapshot = storeFile(root, 'snapshot.jsonl');
    await fill(backend, 'a');
    await backend.compact();
    const old = fs.readFileSync(snapshot);
    await fill(backend, 'b');
    await backend.compact();
    await fill(backend, 'c');
    const before = await state(backend);
    await backend.close();
    const bytes = fs.readFileSync(snapshot);
    if (damage === 'deleted') fs.rmSync(snapshot);
    else if (damage === 'cut off') fs.writeFileSync(snapshot, bytes.subarray(0, bytes.length - 40));
    else if (damage === 'garbage') fs.writeFileSync(snapshot, bytes.fill('x', bytes.length >> 1));
    else if (damage === 'empty') fs.writeFileSync(snapshot, '');
    else fs.writeFileSync(snapshot, old);
    expect(byId(lookAt(root).tasks)).toEqual(before);
    const again = await openStore(root);
    expect(await state(again)).toEqual(before);
    expect(await send(again, { type: 'cancel', id: 'a-gone', reason: 'no' }, 'cancel a')).toMatchObject({
      duplicate: true,
    });
  },
);

it('makes a snapshot by itself, and reads on from it', async () => {
  const root = scratch();
  const backend = await openStore(root);
  await create(backend, 'a');
  const events = Array.from({ length: 1000 }, (_, index) => ({
    ...({ type: 'task.edited', taskId: 'a', by: 'tester' } as const),
    data: { set: { title: `Title ${index}` } },
  }));
  await backend.transact({ events, expect: {} });
  expect(fs.existsSync(storeFile(root, 'snapshot.jsonl'))).toBe(true);
  await create(backend, 'b');
  const before = await state(backend);
  await backend.close();
  const again = await openStore(root);
  expect(await state(again)).toEqual(before);
  expect(await eventsAfter(again, 1001, 1)).toMatchObject([{ seq: 1002, taskId: 'b' }]);
  expect(await eventsAfter(again, 500, 2)).toMatchObject([{ seq: 501 }, { seq: 502 }]);
});

it('says that a blob is damaged instead of giving it out', async () => {
  const root = scratch();
  const backend = await openStore(root);
  const hash = await backend.blobs.put(Buffer.from('a long text'));
  const file = path.join(storeFile(root, 'blobs'), hash.slice(0, 2), hash.slice(2));
  const bytes = fs.readFileSync(file);
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  fs.writeFileSync(file, bytes);
  await expect(backend.blobs.get(hash)).rejects.toMatchObject({ code: 'BAD_FILE' });
});
