import { expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import type { Event } from '../../src/task/schema.ts';
import { create, eventsAfter, run, type Subject } from './support.ts';

/** A reader that follows until it is told to stop. */
function follow(store: Store, after: number): { events: Event[]; stop: () => Promise<void> } {
  const abort = new AbortController();
  const events: Event[] = [];
  const ended = (async () => {
    for await (const event of store.tail({ after, signal: abort.signal })) events.push(event);
  })();
  return {
    events,
    stop: () => {
      abort.abort();
      return ended;
    },
  };
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setTimeout(resolve, 2));
}

const seqs = (events: readonly Event[]) => events.map(({ seq }) => seq);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

export function tailConformance(subject: () => Subject): void {
  it('knows the last event, also after its past was put away', async () => {
    const { store } = subject();
    expect(await store.last()).toBeUndefined();
    for (const id of ['a', 'b', 'c']) {
      await create(store, id);
      expect(await store.last()).toMatchObject({ type: 'task.created', taskId: id });
    }
    const [last] = await eventsAfter(store, 2, 1);
    expect(await store.last()).toEqual(last);
    await store.compact();
    const kept = await store.last();
    expect(kept?.seq).toBeGreaterThanOrEqual(3);
    expect(await eventsAfter(store, (kept?.seq ?? 0) - 1, 1)).toEqual([kept]);
  });

  it('catches up from the start and from the middle', async () => {
    const { store } = subject();
    for (let index = 0; index < 10; index += 1) await create(store, `t${index}`);
    const all = await eventsAfter(store, 0, 10);
    expect(seqs(all)).toEqual(range(1, 10));
    expect(all.map(({ taskId }) => taskId)).toEqual(range(0, 9).map((index) => `t${index}`));
    expect(all[0]).toMatchObject({ v: 1, type: 'task.created', by: 'tester', data: { title: 'Task t0' } });
    expect(await eventsAfter(store, 6, 4)).toEqual(all.slice(6));
  });

  it('goes on with what is committed later', async () => {
    const { store } = subject();
    await create(store, 'a');
    const live = follow(store, 0);
    const fromNow = follow(store, 1);
    await until(() => live.events.length === 1);
    await run(store, { type: 'edit', id: 'a', set: { title: 'seen' } });
    await until(() => live.events.length === 2 && fromNow.events.length === 1);
    await live.stop();
    await fromNow.stop();
    expect(live.events[1]).toMatchObject({ seq: 2, type: 'task.edited', data: { set: { title: 'seen' } } });
    expect(fromNow.events).toEqual(live.events.slice(1));
  });

  it('leaves nothing out and says nothing twice while writers are busy', async () => {
    const { store } = subject();
    const readers = [follow(store, 0)];
    const writer = async (name: string): Promise<void> => {
      for (let index = 0; index < 25; index += 1) {
        await create(store, `${name}-${index}`);
        if (index === 10) readers.push(follow(store, 0), follow(store, 17));
      }
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(writer));
    await until(() => readers.every(({ events }) => events.at(-1)?.seq === 100));
    await Promise.all(readers.map(({ stop }) => stop()));
    for (const { events } of readers) expect(seqs(events)).toEqual(range(events[0]?.seq ?? 0, 100));
    const starts = readers.map(({ events }) => events[0]?.seq).toSorted((x = 0, y = 0) => x - y);
    expect(starts).toEqual([1, 1, 1, 1, 1, 18, 18, 18, 18]);
  });

  it('ends when it is told to, whatever it is doing', async () => {
    const { store } = subject();
    await create(store, 'a');
    await create(store, 'b');
    const waiting = follow(store, 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await waiting.stop();
    expect(waiting.events).toEqual([]);

    const abort = new AbortController();
    const seen: number[] = [];
    for await (const event of store.tail({ after: 0, signal: abort.signal })) {
      seen.push(event.seq);
      abort.abort();
    }
    expect(seen).toEqual([1]);

    const before = AbortSignal.abort();
    for await (const event of store.tail({ after: 0, signal: before })) seen.push(event.seq);
    expect(seen).toEqual([1]);
  });

  it('shows the same events to those who ask again', async () => {
    const { store } = subject();
    await create(store, 'a');
    await run(store, { type: 'cancel', id: 'a', reason: 'no' }, 'k');
    const first = await eventsAfter(store, 0, 2);
    expect(await eventsAfter(store, 0, 2)).toEqual(first);
    expect(first[1]).toMatchObject({ key: 'k', type: 'task.canceled' });
  });
}
