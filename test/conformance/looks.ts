import { expect, it } from 'vitest';
import { nextChange } from '../../src/store/view.ts';
import { create, created, finish, retitled, run, type Subject } from './support.ts';

/** How a store is looked at, alone and while others write. */
export function lookConformance(subject: () => Subject): void {
  it('reads the tasks as they are: by id, by query, in brief, and those that are not over', async () => {
    const { store } = subject();
    for (const id of ['a', 'b', 'c']) await create(store, id);
    await finish(store, 'b');
    await run(store, { type: 'cancel', id: 'c', reason: 'no' });
    await run(store, { type: 'remove', id: 'c', reason: 'no' });
    const look = await store.read({ removed: true }, (tasks, { findings, freed }) => ({
      title: tasks.get('a')?.title,
      nobody: tasks.get('nobody'),
      ids: [...tasks.ids()].toSorted(),
      size: tasks.size,
      listed: tasks.list().map(({ id }) => id),
      done: tasks.list({ status: ['done'] }).map(({ id }) => id),
      texts: tasks.listTexts({ removed: true }).map((text) => (JSON.parse(text) as { id: string }).id),
      active: [...tasks.active()].map(({ id }) => id),
      briefs: [...tasks.briefs()].map(({ id, status }) => `${id} ${status}`).toSorted(),
      findings,
      freed: freed.size,
    }));
    const { counts, failed, ended } = await store.read({ overview: true }, (tasks) => tasks.overview());
    expect(counts).toEqual({ queued: 1, done: 1 });
    expect([failed, ended].map((briefs) => briefs.map(({ id }) => id))).toEqual([[], ['b']]);
    expect(look).toEqual({
      title: 'Task a',
      nobody: undefined,
      ids: ['a', 'b', 'c'],
      size: 3,
      listed: ['a', 'b'],
      done: ['b'],
      texts: ['a', 'b', 'c'],
      active: ['a'],
      briefs: ['a queued', 'b done', 'c canceled'],
      findings: [],
      freed: 0,
    });
  });

  it('knows the history of a task, also from before its past was put away', async () => {
    const { store } = subject();
    await create(store, 'a');
    await create(store, 'b');
    await finish(store, 'a');
    await store.compact();
    await run(store, { type: 'archive', id: 'a' });
    const types = (await store.history('a')).map(({ type }) => type);
    expect(types).toEqual(['task.created', 'task.started', 'task.done', 'task.archived']);
    expect(await store.history('nobody')).toEqual([]);
  });

  it('lets one job after the other look and commit, and nothing between', async () => {
    const { store } = subject();
    await create(store, 'a', { title: '0' });
    const count = () =>
      store.exclusive(['a'], (tasks, commit, now) => {
        const task = tasks.get('a');
        const outcome = commit({ events: [retitled('a', String(Number(task?.title) + 1))], expect: {} });
        return { outcome: outcome.kind, at: now, seen: tasks.get('a')?.title };
      });
    const all = await Promise.all(Array.from({ length: 20 }, count));
    expect(all.every(({ outcome }) => outcome === 'committed')).toBe(true);
    expect(all.map(({ seen }) => Number(seen)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    expect((await store.get('a'))?.title).toBe('20');
    expect(Math.abs(Date.parse(all[0]?.at ?? '') - Date.parse(await store.now()))).toBeLessThan(60_000);
  });

  it('keeps nothing of a job that fails before it commits, and goes on', async () => {
    const { store } = subject();
    const failing = store.exclusive([], () => {
      throw new TypeError('no');
    });
    await expect(failing).rejects.toBeInstanceOf(Error);
    expect(await store.exclusive([], (tasks) => tasks.size)).toBe(0);
  });

  it('tells of what happened since the last claim, and of what happens', async () => {
    const { store } = subject();
    const never = new AbortController().signal;
    await store.claim({ owner: 'worker', max: 1 });
    await create(store, 'before');
    await nextChange(store, never, 60_000);
    await store.claim({ owner: 'worker', max: 0 });
    const waits = nextChange(store, never, 60_000);
    await store.transact({ events: [created('after')], expect: {} });
    await waits;
    const stop = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const _ of store.changes(stop.signal)) {
        seen.push((await store.list()).length);
        if (seen.at(-1) === 3) stop.abort();
      }
    })();
    await create(store, 'last');
    await following;
    expect(seen.at(-1)).toBe(3);
  });

  it('keeps small values beside the tasks, for jobs and for who only looks', async () => {
    const { store, reopen } = subject();
    expect(await store.state('count')).toEqual({});
    const count = () =>
      store.exclusive([], (_tasks, _commit, _now, state) => {
        const { n = 0 } = state.get('count') as { n?: number };
        state.set('count', { n: n + 1, of: ['a', { b: 'ü' }] });
        return state.get('count')['n'];
      });
    const all = await Promise.all(Array.from({ length: 10 }, count));
    expect(all.map(Number).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const again = await reopen();
    expect(await again.state('count')).toEqual({ n: 10, of: ['a', { b: 'ü' }] });
    expect(await again.state('other')).toEqual({});
  });
}
