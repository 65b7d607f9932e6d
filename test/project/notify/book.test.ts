import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composed, emptyBook, noticed, textOf, type Book } from '../../../src/project/notify/book.ts';
import { wantsIn, type Want } from '../../../src/project/notify/wants.ts';
import type { Task } from '../../../src/task/schema.ts';

const pace = { digestMs: 60_000, coolDownMs: 3_600_000 };
const want = (key: string, about?: string): Want => ({
  key,
  layout: 'queue',
  text: `text of ${key}`,
  ...(about && { about }),
});

const base = {
  id: 'a',
  rev: 7,
  title: 'T',
  updatedAt: '2026-03-01T08:00:00.000Z',
  extras: {},
  spec: { body: '' },
};
const task = (more: object): Task => ({ ...base, ...more }) as unknown as Task;
const gates = (times: number) => ({
  run: { gates: { g: { state: 'blocked', times, reason: 'May I?\n\u001B[31mnow' } } },
});

describe('what needs a person', () => {
  it('is a gate, a block that is not ours, and a failure of this run', () => {
    const reason = (who: string) => ({
      status: 'blocked',
      reason: { kind: 'loop', text: 'round and round', who },
    });
    const failed = { status: 'failed', failure: { error: 'broke' } };
    const wants = (one: Task, since = 0) =>
      wantsIn('queue', [one], since).map(({ key, text }) => `${key} ${text}`);
    expect(wants(task(reason('a person')))).toEqual(['queue:a:loop:7 queue a (T): loop: round and round']);
    expect(wants(task(reason('docket')))).toEqual([]);
    expect(wants(task({ status: 'running', ...gates(2) }))).toEqual([
      'queue:a:gate:g:2 queue a (T): asks: May I? ⟨U+001B⟩[31mnow',
    ]);
    expect(wants(task(failed))).toEqual(['queue:a:failed:7 queue a (T): failed: broke']);
    expect(wants(task(failed), Date.parse(base.updatedAt) + 1)).toEqual([]);
    expect(wants(task({ status: 'done', ...gates(1) }))).toEqual([]);
  });
});

describe('the book', () => {
  it('makes few messages of a thousand events', () => {
    let book: Book = emptyBook;
    let posts = 0;
    for (let n = 0; n < 1000; n += 1) {
      const now = n * 1000;
      const next = composed(
        noticed(book, [want(`task-${n % 50}:blocked:${n}`, `task-${n % 50}`)], now, pace),
        now,
        pace,
        false,
      );
      posts += next.made.length - book.made.length;
      book = next;
    }
    const last = composed(book, 1_000_000, pace, true);
    expect(posts + last.made.length - book.made.length).toBeLessThanOrEqual(2); // 50 tasks, each cooled down for an hour
    expect(last.told).toHaveLength(50);
  });

  it('tells the same thing again when it has cooled down, and a new question at once', () => {
    const now = 5_000_000;
    const told = composed(noticed(emptyBook, [want('a:1', 'a'), want('g:1')], now, pace), now, pace, true);
    expect(noticed(told, [want('a:1', 'a'), want('a:2', 'a'), want('g:1')], now + 1000, pace)).toBe(told);
    expect(noticed(told, [want('g:2')], now + 1000, pace).waiting).toHaveLength(1);
    expect(noticed(told, [want('a:2', 'a')], now + pace.coolDownMs, pace).waiting).toHaveLength(1);
    expect(noticed(told, [want('a:1', 'a')], now + 9 * pace.coolDownMs, pace)).toBe(told);
  });

  it('tells every key once, whoever looks when, and loses none', () => {
    const look = fc.record({
      keys: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 8 }),
      after: fc.integer({ min: 0, max: 90_000 }),
      last: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 40 }), (looks) => {
        let [book, now]: [Book, number] = [emptyBook, 0];
        const seen = new Set<string>();
        for (const { keys, after, last } of looks) {
          now += after;
          for (const key of keys) seen.add(`k${key}`);
          book = composed(
            noticed(
              book,
              keys.map((key) => want(`k${key}`)),
              now,
              pace,
            ),
            now,
            pace,
            last,
          );
        }
        const sent = composed(book, now, pace, true).made.flatMap(({ wants }) => wants.map(({ key }) => key));
        expect(sent.toSorted()).toEqual([...seen].toSorted());
      }),
    );
  });

  it('says three things, and how many more there are', () => {
    const five = ['a', 'b', 'c', 'd', 'e'].map((key) => want(key));
    expect(textOf(five)).toBe('text of a\ntext of b\ntext of c\n+2 more (docket list --status blocked)');
    expect(textOf(five, 'queue')).toBe('');
  });
});
