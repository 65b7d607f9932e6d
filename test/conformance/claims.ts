import { expect, it } from 'vitest';
import { create, finish, later, run, send, type Subject } from './support.ts';

const owner = 'worker';

export function claimConformance(subject: () => Subject): void {
  it('starts tasks by priority and age', async () => {
    const { backend } = subject();
    await create(backend, 'old', { when: '2026-03-01T08:00:00.000Z' });
    await create(backend, 'young', { when: '2026-03-01T10:00:00.000Z' });
    await create(backend, 'urgent', { when: '2026-03-01T11:00:00.000Z', priority: 50 });
    await create(backend, 'slack', { when: '2026-03-01T08:00:00.000Z', priority: -50 });
    const claims = await backend.claim({ owner, max: 3 });
    expect(claims.map(({ task }) => task.id)).toEqual(['urgent', 'old', 'young']);
    for (const { task, token } of claims) {
      expect(task).toMatchObject({
        status: 'running',
        owner,
        token,
        lease: { kind: 'process', pid: process.pid },
      });
      expect(await backend.get(task.id)).toEqual(task);
      expect(token).toBe(task.rev);
    }
    expect((await backend.claim({ owner, max: 3 })).map(({ task }) => task.id)).toEqual(['slack']);
    expect(await backend.claim({ owner, max: 3 })).toEqual([]);
  });

  it('starts no more than it is asked for, and only what it is asked for', async () => {
    const { backend } = subject();
    for (const id of ['a', 'b', 'c', 'd']) await create(backend, id);
    expect(await backend.claim({ owner, max: 0 })).toEqual([]);
    const only = await backend.claim({ owner, max: 5, only: ['c', 'b', 'nobody'] });
    expect(only.map(({ task }) => task.id).toSorted()).toEqual(['b', 'c']);
    expect(await backend.claim({ owner, max: 5, only: ['c'] })).toEqual([]);
    expect(await backend.claim({ owner, max: 5, only: [] })).toEqual([]);
    expect(await backend.claim({ owner, max: 1 })).toHaveLength(1);
  });

  it('starts only what the conditions allow', async () => {
    const { backend } = subject();
    const inplace = { kind: 'inplace' } as const;
    await create(backend, 'parked', { spec: { body: '', routing: { provider: 'slow' } } });
    await create(backend, 'here', { spec: { body: '', workspace: inplace } });
    await create(backend, 'here-too', { spec: { body: '', workspace: inplace } });
    await create(backend, 'needy', { needs: ['here'] });
    await create(backend, 'held');
    await run(backend, { type: 'claim', id: 'held', owner: 'a person', until: later.until });
    const ids = async (conditions: NonNullable<Parameters<typeof backend.claim>[0]['conditions']>) =>
      (await backend.claim({ owner, max: 9, conditions })).map(({ task }) => task.id);
    const parked = { slow: {} };
    expect(await ids({ parked, slots: { used: 2, max: 2 } })).toEqual([]);
    expect(await ids({ parked, spent: [{ scope: 'day', spent: 2, cap: 1 }] })).toEqual([]);
    expect(await ids({ parked })).toEqual(['here']);
    expect(await ids({ parked, locks: { 'work tree': 'here' } })).toEqual([]);
    const { token } = (await backend.get('here')) as { token: number };
    await run(backend, { type: 'settle', id: 'here', token, verdict: { kind: 'pass' }, summary: 'ok' });
    expect((await ids({ parked })).toSorted()).toEqual(['here-too', 'needy']);
    expect(await ids({})).toEqual(['parked']);
    expect((await backend.get('held'))?.status).toBe('queued');
  });

  it('never gives a task to two claimers', async () => {
    const { backend } = subject();
    const ids = Array.from({ length: 100 }, (_, index) => `t${index}`);
    await Promise.all(ids.map((id) => create(backend, id)));
    const got: string[] = [];
    const claimer = async (name: string): Promise<void> => {
      for (;;) {
        const claims = await backend.claim({ owner: name, max: 3 });
        if (claims.length === 0) return;
        for (const { task } of claims) {
          expect(task.owner).toBe(name);
          got.push(task.id);
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => claimer(`w${index}`)));
    expect(got.toSorted()).toEqual(ids.toSorted());
    expect(await backend.list({ status: ['running'] })).toHaveLength(100);
  });

  it('tells a worker whether its claim still holds', async () => {
    const { backend } = subject();
    for (const id of ['a', 'b', 'c', 'd']) await create(backend, id);
    const claims = await backend.claim({ owner, max: 4 });
    const [a, b, c, d] = claims as [
      (typeof claims)[0],
      (typeof claims)[0],
      (typeof claims)[0],
      (typeof claims)[0],
    ];
    expect(await Promise.all(claims.map((claim) => backend.beat(claim)))).toEqual(['ok', 'ok', 'ok', 'ok']);
    await run(backend, { type: 'cancel', id: a.task.id, reason: 'no' });
    await run(backend, { type: 'requeue', id: b.task.id, reason: 'stopped' });
    await run(backend, { type: 'submit', id: c.task.id, token: c.token, summary: 'look' });
    await run(backend, {
      type: 'settle',
      id: d.task.id,
      token: d.token,
      verdict: { kind: 'pass' },
      summary: '',
    });
    expect(await Promise.all(claims.map((claim) => backend.beat(claim)))).toEqual([
      'canceled',
      'lost',
      'ok',
      'lost',
    ]);
  });

  it('lets only the holder of a claim end a running task as done', async () => {
    const { backend } = subject();
    for (const id of ['a', 'b']) await create(backend, id);
    const [claim] = await backend.claim({ owner, max: 1, only: ['a'] });
    const pass = { type: 'settle', id: 'a', verdict: { kind: 'pass' }, summary: 'mine' } as const;
    expect(await send(backend, pass)).toMatchObject({ ok: false, refusal: { code: 'held' } });
    expect(await backend.get('a')).toMatchObject({ status: 'running', token: claim?.token });
    await backend.claim({ owner, max: 1, only: ['b'] });
    await run(backend, { type: 'cancel', id: 'b', reason: 'not wanted' });
    const verdict = { kind: 'pass' as const, evidence: ['ev-1'] };
    const done = await run(backend, { ...pass, token: claim?.token ?? 0, verdict });
    expect(done).toMatchObject({ status: 'done', summary: 'mine' });
    expect(done).not.toHaveProperty('unproved');
  });

  it('does not take a claim for the one before it', async () => {
    const { backend } = subject();
    await create(backend, 'a');
    const [first] = await backend.claim({ owner, max: 1 });
    await first?.release();
    await run(backend, { type: 'requeue', id: 'a', reason: 'again' });
    const [second] = await backend.claim({ owner, max: 1 });
    if (!first || !second) throw new Error('nothing was claimed');
    expect(second.token).toBeGreaterThan(first.token);
    expect([await backend.beat(first), await backend.beat(second)]).toEqual(['lost', 'ok']);
    const late = await send(backend, { type: 'submit', id: 'a', token: first.token, summary: 'late' });
    expect(late).toMatchObject({ ok: false, refusal: { code: 'fenced' } });
  });

  it('leaves the status alone when a claim is released, and is not hurt by a second release', async () => {
    const { backend } = subject();
    await create(backend, 'a');
    const [claim] = await backend.claim({ owner, max: 1 });
    await run(backend, { type: 'submit', id: 'a', token: claim?.token ?? 0, summary: 'done' });
    await claim?.release();
    await claim?.release();
    expect(await backend.get('a')).toMatchObject({ status: 'review', token: claim?.token });
  });

  it('starts a task again whose claim was released and that was put back', async () => {
    const { backend } = subject();
    await create(backend, 'a');
    await finish(backend, 'a');
    await run(backend, { type: 'reopen', id: 'a', reason: 'not good' });
    for (let round = 0; round < 3; round += 1) {
      const claims = await backend.claim({ owner, max: 1 });
      expect(claims.map(({ task }) => task.id)).toEqual(['a']);
      await run(backend, { type: 'requeue', id: 'a', reason: 'again' });
      await claims[0]?.release();
    }
  });
}
