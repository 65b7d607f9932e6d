import { expect, it } from 'vitest';
import { allEvents, byId, create, created, fold, later, retitled, run, type Subject } from './support.ts';

export function transactConformance(subject: () => Subject, kept: boolean): void {
  it('answers conflict when a task changed since it was looked at, and changes nothing', async () => {
    const { store } = subject();
    const first = await create(store, 'a');
    const second = await run(store, { type: 'edit', id: 'a', set: { title: 'second' } });
    const outcome = await store.transact({ events: [retitled('a', 'third')], expect: { a: first.rev } });
    expect(outcome).toEqual({ kind: 'conflict', id: 'a', expected: first.rev, actual: second.rev });
    expect(await store.get('a')).toEqual(second);
  });

  it('knows tasks that do not exist as revision 0', async () => {
    const { store } = subject();
    const tx = { events: [created('a')], expect: { a: 0 } };
    const outcomes = [await store.transact(tx), await store.transact(tx)];
    expect(outcomes.map(({ kind }) => kind)).toEqual(['committed', 'conflict']);
    const missing = await store.transact({ events: [created('c')], expect: { b: 3 } });
    expect(missing).toEqual({ kind: 'conflict', id: 'b', expected: 3, actual: 0 });
    expect(await store.get('c')).toBeUndefined();
  });

  it('checks tasks that were only read', async () => {
    const { store } = subject();
    const read = await create(store, 'read');
    const written = await create(store, 'written');
    await run(store, { type: 'edit', id: 'read', set: { title: 'moved on' } });
    const expected = { read: read.rev, written: written.rev };
    const outcome = await store.transact({ events: [retitled('written', 'x')], expect: expected });
    expect(outcome.kind).toBe('conflict');
    expect(await store.get('written')).toEqual(written);
  });

  it('commits a key once, one after the other', async () => {
    const { store } = subject();
    const tx = { events: [created('a'), retitled('a', 'named')], expect: {}, key: 'once' };
    const first = await store.transact(tx);
    const seq = first.kind === 'committed' ? first.events[0]?.seq : undefined;
    expect(seq).toBeGreaterThan(0);
    expect(await store.transact(tx)).toEqual({ kind: 'duplicate', seq });
    // A duplicate is known before anything else is looked at: what it expected has changed by its own doing.
    expect(await store.transact({ ...tx, expect: { a: 0 } })).toEqual({ kind: 'duplicate', seq });
    expect((await allEvents(store)).filter((event) => event.taskId === 'a')).toHaveLength(2);
  });

  it('commits a key once, from many at once', async () => {
    const { store } = subject();
    await create(store, 'a');
    const same = { events: [retitled('a', 'once')], expect: {}, key: 'k' };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.transact(same)));
    const committed = outcomes.filter(({ kind }) => kind === 'committed');
    expect(committed).toHaveLength(1);
    expect(
      new Set(outcomes.filter(({ kind }) => kind === 'duplicate').map((o) => JSON.stringify(o))).size,
    ).toBe(1);
    expect((await allEvents(store)).filter((event) => event.key === 'k')).toHaveLength(1);
  });

  it.runIf(kept)('commits a key once, also after it was closed', async () => {
    const { store, reopen } = subject();
    const tx = { events: [created('a')], expect: {}, key: 'k' };
    const first = await store.transact(tx);
    const seq = first.kind === 'committed' ? first.events[0]?.seq : undefined;
    const again = await reopen();
    expect(await again.transact(tx)).toEqual({ kind: 'duplicate', seq });
    expect((await allEvents(again)).filter((event) => event.taskId === 'a')).toHaveLength(1);
  });

  it('does not remember the key of a transaction that was not committed', async () => {
    const { store } = subject();
    const task = await create(store, 'a');
    const refused = await store.transact({ events: [retitled('a', 'x')], expect: { a: 99 }, key: 'k' });
    expect(refused.kind).toBe('conflict');
    const empty = await store.transact({ events: [], expect: {}, key: 'k' });
    expect(empty).toEqual({ kind: 'committed', events: [] });
    const kept = await store.transact({ events: [retitled('a', 'x')], expect: { a: task.rev }, key: 'k' });
    expect(kept.kind).toBe('committed');
  });

  it('commits several events together, in order, and one after the other in the log', async () => {
    const { store } = subject();
    await create(store, 'other');
    const events = [created('a'), created('b'), retitled('a', 'A'), retitled('b', 'B')];
    const outcome = await store.transact({ events, expect: { a: 0, b: 0 } });
    if (outcome.kind !== 'committed') throw new Error(outcome.kind);
    const [first = 0] = outcome.events.map(({ seq }) => seq);
    expect(outcome.events.map(({ seq }) => seq)).toEqual([first, first + 1, first + 2, first + 3]);
    expect(outcome.events.map(({ type, taskId }) => [type, taskId])).toEqual(
      events.map(({ type, taskId }) => [type, taskId]),
    );
    expect((await store.list()).map(({ title }) => title).toSorted()).toEqual(['A', 'B', 'Task other']);
  });

  it('commits nothing of a transaction of which one part does not hold', async () => {
    const { store } = subject();
    const before = await create(store, 'a');
    const events = [retitled('a', 'half'), created('b'), retitled('b', 'B')];
    expect((await store.transact({ events, expect: { a: before.rev, b: 7 } })).kind).toBe('conflict');
    expect(byId(await store.list({ removed: true }))).toEqual([before]);
  });

  it('commits nothing of a transaction with an event about no task, and goes on', async () => {
    const { store, reopen } = subject();
    const before = await create(store, 'a');
    const events = [retitled('a', 'half'), created('b'), retitled('nobody', 'x')];
    await expect(store.transact({ events, expect: {}, key: 'k' })).rejects.toThrow('never created');
    expect(byId(await store.list({ removed: true }))).toEqual([before]);
    await create(store, 'c');
    const log = await allEvents(store);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expect(log.map(({ taskId }) => taskId).slice(0, 2)).toEqual(['a', 'c']);
    const after = kept ? await reopen() : store;
    expect((await after.list()).map(({ id }) => id).slice(0, 2)).toEqual(['a', 'c']);
  });

  it('refuses a fencing token that is not current', async () => {
    const { store } = subject();
    await create(store, 'a');
    const task = await run(store, { type: 'start', id: 'a', owner: 'w', lease: later });
    const token = task.status === 'running' ? task.token : 0;
    const write = (tokens: Record<string, number>) =>
      store.transact({ events: [retitled('a', 'late')], expect: {}, tokens });
    expect(await write({ a: token + 5 })).toEqual({
      kind: 'fenced',
      id: 'a',
      token: token + 5,
      current: token,
    });
    expect(await write({ b: token })).toEqual({ kind: 'fenced', id: 'b', token, current: undefined });
    expect(await store.get('a')).toEqual(task);
    expect((await write({ a: token })).kind).toBe('committed');
    await run(store, { type: 'requeue', id: 'a', reason: 'stopped' });
    expect(await write({ a: token })).toEqual({ kind: 'fenced', id: 'a', token, current: undefined });
  });

  it('has the state that its log folds to', async () => {
    const { store } = subject();
    await Promise.all(Array.from({ length: 20 }, (_, index) => create(store, `t${index}`)));
    await run(store, { type: 'start', id: 't1', owner: 'w', lease: later });
    await run(store, { type: 'fail', id: 't1', failure: { error: 'broke' } });
    await run(store, { type: 'remove', id: 't1', reason: 'old' });
    await run(store, { type: 'cancel', id: 't2', reason: 'no' });
    const log = await allEvents(store);
    expect(byId(fold(log).values())).toEqual(byId(await store.list({ removed: true })));
  });
}
