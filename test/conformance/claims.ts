import { expect, it } from 'vitest';
import { create, finish, later, run, send, type Subject } from './support.ts';

const owner = 'worker';

export function claimConformance(subject: () => Subject): void {
  it('starts tasks by priority and age', async () => {
    const { store } = subject();
    await create(store, 'old', { when: '2026-03-01T08:00:00.000Z' });
    await create(store, 'young', { when: '2026-03-01T10:00:00.000Z' });
    await create(store, 'urgent', { when: '2026-03-01T11:00:00.000Z', priority: 50 });
    await create(store, 'slack', { when: '2026-03-01T08:00:00.000Z', priority: -50 });
    const claims = await store.claim({ owner, max: 3 });
    expect(claims.map(({ task }) => task.id)).toEqual(['urgent', 'old', 'young']);
    for (const { task, token } of claims) {
      expect(task).toMatchObject({
        status: 'running',
        owner,
        token,
        lease: { kind: 'process', pid: process.pid },
      });
      expect(await store.get(task.id)).toEqual(task);
      expect(token).toBe(task.rev);
    }
    expect((await store.claim({ owner, max: 3 })).map(({ task }) => task.id)).toEqual(['slack']);
    expect(await store.claim({ owner, max: 3 })).toEqual([]);
  });

  it('starts no more than it is asked for, and only what it is asked for', async () => {
    const { store } = subject();
    for (const id of ['a', 'b', 'c', 'd']) await create(store, id);
    expect(await store.claim({ owner, max: 0 })).toEqual([]);
    const only = await store.claim({ owner, max: 5, only: ['c', 'b', 'nobody'] });
    expect(only.map(({ task }) => task.id).toSorted()).toEqual(['b', 'c']);
    expect(await store.claim({ owner, max: 5, only: ['c'] })).toEqual([]);
    expect(await store.claim({ owner, max: 5, only: [] })).toEqual([]);
    expect(await store.claim({ owner, max: 1 })).toHaveLength(1);
  });

  it('starts only what the conditions allow', async () => {
    const { store } = subject();
    const inplace = { kind: 'inplace' } as const;
    await create(store, 'parked', { spec: { body: '', routing: { provider: 'slow' } } });
    await create(store, 'here', { spec: { body: '', workspace: inplace } });
    await create(store, 'here-too', { spec: { body: '', workspace: inplace } });
    await create(store, 'needy', { needs: ['here'] });
    await create(store, 'held');
    await run(store, { type: 'claim', id: 'held', owner: 'a person', until: later.until });
    const ids = async (conditions: NonNullable<Parameters<typeof store.claim>[0]['conditions']>) =>
      (await store.claim({ owner, max: 9, conditions })).map(({ task }) => task.id);
    const parked = { slow: {} };
    expect(await ids({ parked, slots: { used: 2, max: 2 } })).toEqual([]);
    expect(await ids({ parked, spent: [{ scope: 'day', spent: 2, cap: 1 }] })).toEqual([]);
    expect(await ids({ parked })).toEqual(['here']);
    expect(await ids({ parked, locks: { 'work tree': 'here' } })).toEqual([]);
    const { token } = (await store.get('here')) as { token: number };
    await run(store, { type: 'settle', id: 'here', token, verdict: { kind: 'pass' }, summary: 'ok' });
    expect((await ids({ parked })).toSorted()).toEqual(['here-too', 'needy']);
    expect(await ids({})).toEqual(['parked']);
    expect((await store.get('held'))?.status).toBe('queued');
  });

  it('never gives a task to two claimers', async () => {
    const { store } = subject();
    const ids = Array.from({ length: 100 }, (_, index) => `t${index}`);
    await Promise.all(ids.map((id) => create(store, id)));
    const got: string[] = [];
    const claimer = async (name: string): Promise<void> => {
      for (;;) {
        const claims = await store.claim({ owner: name, max: 3 });
        if (claims.length === 0) return;
        for (const { task } of claims) {
          expect(task.owner).toBe(name);
          got.push(task.id);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => claimer(`w${index}`)));
    expect(got.toSorted()).toEqual(ids.toSorted());
    expect(await store.list({ status: ['running'] })).toHaveLength(100);
  });

  it('tells a worker whether its claim still holds', async () => {
    const { store } = subject();
    for (const id of ['a', 'b', 'c', 'd']) await create(store, id);
    const claims = await store.claim({ owner, max: 4 });
    const [a, b, c, d] = claims as [
      (typeof claims)[0],
      (typeof claims)[0],
      (typeof claims)[0],
      (typeof claims)[0],
    ];
    expect(await Promise.all(claims.map((claim) => store.beat(claim)))).toEqual(['ok', 'ok', 'ok', 'ok']);
    await run(store, { type: 'cancel', id: a.task.id, reason: 'no' });
    await run(store, { type: 'requeue', id: b.task.id, reason: 'stopped' });
    await run(store, { type: 'submit', id: c.task.id, token: c.token, summary: 'look' });
    await run(store, {
      type: 'settle',
      id: d.task.id,
      token: d.token,
      verdict: { kind: 'pass' },
      summary: '',
    });
    expect(await Promise.all(claims.map((claim) => store.beat(claim)))).toEqual([
      'canceled',
      'lost',
      'ok',
      'lost',
    ]);
  });

  it('lets only the holder of a claim end a running task as done', async () => {
    const { store } = subject();
    for (const id of ['a', 'b']) await create(store, id);
    const [claim] = await store.claim({ owner, max: 1, only: ['a'] });
    const pass = { type: 'settle', id: 'a', verdict: { kind: 'pass' }, summary: 'mine' } as const;
    expect(await send(store, pass)).toMatchObject({ ok: false, refusal: { code: 'held' } });
    expect(await store.get('a')).toMatchObject({ status: 'running', token: claim?.token });
    await store.claim({ owner, max: 1, only: ['b'] });
    await run(store, { type: 'cancel', id: 'b', reason: 'not wanted' });
    const verdict = { kind: 'pass' as const, evidence: ['ev-1'] };
    const done = await run(store, { ...pass, token: claim?.token ?? 0, verdict });
    expect(done).toMatchObject({ status: 'done', summary: 'mine' });
    expect(done).not.toHaveProperty('unproved');
  });

  it('does not take a claim for the one before it', async () => {
    const { store } = subject();
    await create(store, 'a');
    const [first] = await store.claim({ owner, max: 1 });
    await first?.release();
    await run(store, { type: 'requeue', id: 'a', reason: 'again' });
    const [second] = await store.claim({ owner, max: 1 });
    if (!first || !second) throw new Error('nothing was claimed');
    expect(second.token).toBeGreaterThan(first.token);
    expect([await store.beat(first), await store.beat(second)]).toEqual(['lost', 'ok']);
    const late = await send(store, { type: 'submit', id: 'a', token: first.token, summary: 'late' });
    expect(late).toMatchObject({ ok: false, refusal: { code: 'fenced' } });
  });

  it('leaves the status alone when a claim is released, and is not hurt by a second release', async () => {
    const { store } = subject();
    await create(store, 'a');
    const [claim] = await store.claim({ owner, max: 1 });
    await run(store, { type: 'submit', id: 'a', token: claim?.token ?? 0, summary: 'done' });
    await claim?.release();
    await claim?.release();
    expect(await store.get('a')).toMatchObject({ status: 'review', token: claim?.token });
  });

  it('starts a task again whose claim was released and that was put back', async () => {
    const { store } = subject();
    await create(store, 'a');
    await finish(store, 'a');
    await run(store, { type: 'reopen', id: 'a', reason: 'not good' });
    for (let round = 0; round < 3; round += 1) {
      const claims = await store.claim({ owner, max: 1 });
      expect(claims.map(({ task }) => task.id)).toEqual(['a']);
      await run(store, { type: 'requeue', id: 'a', reason: 'again' });
      await claims[0]?.release();
    }
  });
}
