import { expect, it } from 'vitest';
import { ownIdentity } from '../../src/io/identity.ts';
import { admit, type Wish } from '../../src/meter/admit.ts';
import { emptyBook, applyEvent, type Book, type NewMeterEvent } from '../../src/meter/book.ts';

const now = Date.parse('2026-03-01T22:00:00Z');
const call = { provider: 'p', agent: 'a', root: '/', task: 't', step: 's', by: ownIdentity() };
const used = { calls: 1, tokens: 0, money: 0, seconds: 40 };
const reserved = (mark: string): NewMeterEvent => ({ type: 'reserved', mark, call });

/** May one more be made, where a day has 100 seconds? */
function asked(events: readonly NewMeterEvent[], seconds?: number): object {
  const at = new Date(now).toISOString();
  const book = events.reduce<Book>((known, event) => applyEvent(known, { v: 1, at, ...event }), emptyBook());
  const most = seconds === undefined ? {} : { most: { seconds } };
  const wish: Wish = { mark: 'new', call, caps: [{ scope: 'day', caps: { seconds: 100 } }], ...most };
  return admit(book, wish, { now, isAlive: () => true }).answer;
}

it('calls at once share the seconds of a day', () => {
  const go = { kind: 'go' };
  const waits = { kind: 'cap', reached: { unit: 'seconds', waits: true } };
  // By what their agents are ended at.
  expect(asked([reserved('a')], 50)).toMatchObject(go);
  expect(asked([reserved('a'), reserved('b')], 50)).toMatchObject(waits);
  // By the longest so far; while there is none, one by one.
  const settled: NewMeterEvent[] = [reserved('a'), { type: 'settled', mark: 'a', used }];
  expect(asked([reserved('a')])).toMatchObject(waits);
  expect(asked(settled)).toMatchObject(go);
  expect(asked([...settled, reserved('b')])).toMatchObject(waits);
});

it('a call that nobody saw the end of counts as the longest', () => {
  const settled: NewMeterEvent[] = [reserved('a'), { type: 'settled', mark: 'a', used }];
  const lost = (mark: string): NewMeterEvent[] => [reserved(mark), { type: 'lost', mark }];
  expect(asked([...settled, ...lost('b')])).toMatchObject({ kind: 'go' });
  const reached = { unit: 'seconds', used: 120, cap: 100 };
  expect(asked([...settled, ...lost('b'), ...lost('c')])).toEqual({ kind: 'cap', scope: 'day', reached });
});
