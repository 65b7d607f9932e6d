import { expect, it } from 'vitest';
import { allEvents, byId, create, finish, later, refusalOf, run, send, type Subject } from './support.ts';

export function commandConformance(subject: () => Subject): void {
  it('refuses to create what exists', async () => {
    const { store } = subject();
    const task = await create(store, 'a');
    expect(await refusalOf(store, { type: 'create', id: 'a', title: 'B', spec: { body: '' } })).toBe(
      'exists',
    );
    expect(await store.get('a')).toEqual(task);
  });

  it('creates one task when many create the same one at once', async () => {
    const { store } = subject();
    const tries = Array.from({ length: 10 }, (_, index) =>
      send(store, { type: 'create', id: 'a', by: `w${index}`, title: `${index}`, spec: { body: '' } }),
    );
    const executed = await Promise.all(tries);
    expect(executed.filter(({ ok }) => ok)).toHaveLength(1);
    expect(executed.filter((one) => !one.ok && one.refusal.code === 'exists')).toHaveLength(9);
  });

  it('gives a retry by key the answer of the first try', async () => {
    const { store } = subject();
    const command = { type: 'create', id: 'a', title: 'A', spec: { body: '' } } as const;
    const first = await send(store, command, 'add');
    const again = await send(store, command, 'add');
    expect(again).toMatchObject({ ok: true, duplicate: true, events: [], task: { id: 'a' } });
    expect(first).toMatchObject({ ok: true, duplicate: false });
    // A retry may have a new id: the answer is about the task of the first.
    expect(await send(store, { ...command, id: 'b' }, 'add')).toMatchObject({
      duplicate: true,
      task: { id: 'a' },
    });
    expect(await store.get('b')).toBeUndefined();
    await run(store, { type: 'cancel', id: 'a', reason: 'no' }, 'cancel');
    expect(await send(store, { type: 'cancel', id: 'a', reason: 'no' }, 'cancel')).toMatchObject({
      duplicate: true,
    });
    expect((await allEvents(store)).filter(({ taskId }) => taskId === 'a')).toHaveLength(2);
  });

  it('commits one event for a command that is sent many times at once with one key', async () => {
    const { store } = subject();
    await create(store, 'a');
    const cancel = () => send(store, { type: 'cancel', id: 'a', reason: 'no' }, 'k');
    const executed = await Promise.all(Array.from({ length: 10 }, cancel));
    expect(executed.every(({ ok }) => ok)).toBe(true);
    expect(executed.filter((one) => one.ok && !one.duplicate)).toHaveLength(1);
    expect((await allEvents(store)).filter(({ type }) => type === 'task.canceled')).toHaveLength(1);
  });

  it('changes nothing by what it refuses', async () => {
    const { store } = subject();
    await create(store, 'a');
    await create(store, 'b', { needs: ['a'] });
    await finish(store, 'a');
    const before = byId(await store.list({ removed: true }));
    const codes = [
      await refusalOf(store, { type: 'edit', id: 'nobody', set: { title: 'x' } }),
      await refusalOf(store, { type: 'edit', id: 'a', set: { needs: ['b'] } }),
      await refusalOf(store, { type: 'edit', id: 'b', set: { needs: ['nobody'] } }),
      await refusalOf(store, { type: 'edit', id: 'b', set: {} }),
      await refusalOf(store, { type: 'submit', id: 'b', token: 1, summary: 'x' }),
      await refusalOf(store, { type: 'cancel', id: 'a', reason: 'late' }),
      await refusalOf(store, { type: 'remove', id: 'b', reason: 'early' }),
    ];
    expect(codes).toEqual(['not-found', 'cycle', 'unknown-need', 'invalid', 'fenced', 'illegal', 'illegal']);
    expect(byId(await store.list({ removed: true }))).toEqual(before);
    const seqs = (await allEvents(store)).map(({ seq }) => seq);
    expect(seqs).toHaveLength(Math.max(...before.map(({ rev }) => rev)) + 1);
  });

  it('never lets two edits that do not see each other make a circle of needs', async () => {
    const { store } = subject();
    for (let round = 0; round < 20; round += 1) {
      const [a, b] = [`a${round}`, `b${round}`];
      await create(store, a);
      await create(store, b);
      const both = await Promise.all([
        send(store, { type: 'edit', id: a, set: { needs: [b] } }),
        send(store, { type: 'edit', id: b, set: { needs: [a] } }),
      ]);
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      const needs = [(await store.get(a))?.needs, (await store.get(b))?.needs];
      expect(needs.filter((list) => list?.length === 1)).toHaveLength(1);
    }
  });

  it('never lets three edits make a longer circle', async () => {
    const { store } = subject();
    const ids = ['a', 'b', 'c'];
    for (const id of ids) await create(store, id);
    const edits = ids.map((id, at) =>
      send(store, { type: 'edit', id, set: { needs: [ids[(at + 1) % 3] ?? ''] } }),
    );
    const executed = await Promise.all(edits);
    expect(executed.filter(({ ok }) => ok)).toHaveLength(2);
    expect(executed.find(({ ok }) => !ok)).toMatchObject({ refusal: { code: 'cycle' } });
  });

  it('refuses the writes of a claim that has ended', async () => {
    const { store } = subject();
    await create(store, 'a');
    const first = await run(store, { type: 'start', id: 'a', owner: 'one', lease: later });
    await run(store, { type: 'requeue', id: 'a', reason: 'gone' });
    const second = await run(store, { type: 'start', id: 'a', owner: 'two', lease: later });
    const [old, token] = [first, second].map((task) => (task.status === 'running' ? task.token : 0)) as [
      number,
      number,
    ];
    expect(token).toBeGreaterThan(old);
    expect(await refusalOf(store, { type: 'submit', id: 'a', token: old, summary: 'late' })).toBe('fenced');
    expect(
      await refusalOf(store, {
        type: 'settle',
        id: 'a',
        token: old,
        verdict: { kind: 'pass' },
        summary: '',
      }),
    ).toBe('fenced');
    expect(await store.get('a')).toEqual(second);
    expect((await run(store, { type: 'submit', id: 'a', token, summary: 'mine' })).status).toBe('review');
  });

  it('loses none of 100 commands that are sent at once', async () => {
    const { store } = subject();
    await create(store, 'shared');
    const sent = Array.from({ length: 100 }, (_, index) =>
      index % 2 === 0
        ? create(store, `t${index}`)
        : run(store, { type: 'edit', id: 'shared', set: { title: `title ${index}` } }),
    );
    await Promise.all(sent);
    expect(await store.list()).toHaveLength(51);
    const log = await allEvents(store);
    expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 102 }, (_, index) => index + 1));
    const titles = log.flatMap((event) => (event.type === 'task.edited' ? [event.data.set.title] : []));
    expect(new Set(titles).size).toBe(50);
    expect((await store.get('shared'))?.title).toBe(titles.at(-1));
  });

  it('lists by status, and hides what was removed', async () => {
    const { store } = subject();
    for (const id of ['queued', 'running', 'done', 'gone', 'archived']) await create(store, id);
    await run(store, { type: 'start', id: 'running', owner: 'w', lease: later });
    for (const id of ['done', 'gone', 'archived']) await finish(store, id);
    await run(store, { type: 'remove', id: 'gone', reason: 'old' });
    await run(store, { type: 'archive', id: 'archived' });
    const ids = async (query?: Parameters<typeof store.list>[0]) =>
      (await store.list(query)).map(({ id }) => id).toSorted();
    expect(await ids()).toEqual(['archived', 'done', 'queued', 'running']);
    expect(await ids({ removed: true })).toEqual(['archived', 'done', 'gone', 'queued', 'running']);
    expect(await ids({ status: ['queued', 'running'] })).toEqual(['queued', 'running']);
    expect(await ids({ status: ['done'] })).toEqual(['archived', 'done']);
    expect(await ids({ status: ['done', 'queued'], removed: true })).toEqual([
      'archived',
      'done',
      'gone',
      'queued',
    ]);
    expect(await ids({ status: [] })).toEqual([]);
    expect(await ids({ status: ['canceled'] })).toEqual([]);
    expect(await store.get('gone')).toMatchObject({ status: 'done', removedAt: expect.any(String) });
  });
}
