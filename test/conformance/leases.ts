import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ownIdentity } from '../../src/io/identity.ts';
import type { ClaimState, Claim } from '../../src/store/store.ts';
import { create, created, leaseMs, retitled, run, type Subject } from './support.ts';

/** A worker of this machine that a restart has ended. */
const dead = { kind: 'process' as const, ...ownIdentity(), bootId: 'an earlier one' };

/** How claims end: by a word, by the death of a worker, by time, and by a store that does not answer. */
export function leaseConformance(subject: () => Subject): void {
  it('gives what a dead worker held to the next one, and says so in the history', async () => {
    const { store } = subject();
    await create(store, 'a');
    await run(store, { type: 'start', id: 'a', owner: 'gone', lease: dead });
    const [claim] = await store.claim({ owner: 'next', max: 1 });
    expect(claim?.task).toMatchObject({ id: 'a', owner: 'next' });
    const lost = (await store.history('a')).find(({ type }) => type === 'task.requeued');
    expect(lost).toMatchObject({ by: 'docket', data: { lost: true } });
  });

  it('accepts nothing from a worker whose task was given to another', async () => {
    const { store } = subject();
    await create(store, 'a');
    const before = await run(store, { type: 'start', id: 'a', owner: 'gone', lease: dead });
    const token = 'token' in before ? before.token : 0;
    const [claim] = await store.claim({ owner: 'next', max: 1 });
    const late = { events: [retitled('a', 'late')], expect: {}, tokens: { a: token ?? 0 } };
    expect(await store.transact(late)).toMatchObject({ kind: 'fenced', current: claim?.token });
    expect((await store.get('a'))?.title).toBe('Task a');
  });

  it('takes nothing from a worker that lives, whoever asks', async () => {
    const { store } = subject();
    await create(store, 'a');
    const [claim] = await store.claim({ owner: 'one', max: 1 });
    expect(await store.claim({ owner: 'two', max: 1 })).toEqual([]);
    expect(await store.get('a')).toMatchObject({ owner: 'one', token: claim?.token });
  });

  it('lists workers, what they hold, and whether they live', async () => {
    const { store } = subject();
    expect(await store.workers()).toEqual([]);
    for (const id of ['a', 'b', 'c', 'd']) await create(store, id);
    await run(store, { type: 'start', id: 'c', owner: 'gone', lease: dead });
    await store.claim({ owner: 'me', max: 2, only: ['a', 'b'] });
    await run(store, { type: 'start', id: 'd', owner: 'gone', lease: dead });
    const workers = (await store.workers()).toSorted((x, y) => (x.owner < y.owner ? -1 : 1));
    expect(workers.map(({ owner, alive }) => [owner, alive])).toEqual([
      ['gone', false],
      ['me', true],
    ]);
    expect(workers.map(({ holds }) => holds.toSorted())).toEqual([['d'], ['a', 'b']]);
    expect(workers[1]?.lease).toMatchObject(ownIdentity());
  });

  it('lets a claim by a person run out', async () => {
    const { store } = subject();
    await create(store, 'a');
    const until = new Date(Date.now() + 300).toISOString();
    await run(store, { type: 'claim', id: 'a', owner: 'a person', until });
    expect(await store.claim({ owner: 'worker', max: 1 })).toEqual([]);
    await sleep(400);
    expect(await store.claim({ owner: 'worker', max: 1 })).toHaveLength(1);
  });

  it('tells the holder by itself when a claim no longer holds, and why', async () => {
    const { store } = subject();
    for (const id of ['a', 'b', 'c']) await create(store, id);
    const claims = await store.claim({ owner: 'me', max: 3 });
    const claimed = (id: string) => claims.find(({ task }) => task.id === id) as Claim;
    await run(store, { type: 'cancel', id: 'a', reason: 'no' });
    expect(await endOf(claimed('a'))).toBe('canceled');
    await run(store, { type: 'requeue', id: 'b', reason: 'again' });
    expect(await endOf(claimed('b'))).toBe('lost');
    await run(store, { type: 'submit', id: 'c', token: claimed('c').token, summary: 'look' });
    expect(await store.beat(claimed('c'))).toBe('ok');
    expect(claimed('c').signal.aborted).toBe(false);
    expect(claimed('c').until).toBeGreaterThan(Date.now());
  });

  it('ends a claim when the store does not answer for as long as the lease lasts, and not before', async (test) => {
    const { store, cut } = subject();
    if (!cut) return test.skip('nothing can come between a worker and this store');
    await create(store, 'a');
    const [claim] = await store.claim({ owner: 'me', max: 1 });
    if (!claim) throw new Error('nothing was claimed');
    await sleep(leaseMs + 200);
    expect(claim.signal.aborted).toBe(false); // the store has answered
    const restore = await cut();
    const { until } = claim;
    expect(await endOf(claim)).toBe('lost');
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    await restore();
    await store.transact({ events: [created('after')], expect: {} });
  });
}

function endOf({ signal }: Claim): Promise<ClaimState> {
  return new Promise((resolve) => {
    const end = () => resolve(signal.reason as ClaimState);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
