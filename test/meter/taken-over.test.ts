import { expect, it } from 'vitest';
import { ownIdentity } from '../../src/io/identity.ts';
import { admit, type Wish } from '../../src/meter/admit.ts';
import { emptyBook, applyEvent, type Book, type NewMeterEvent } from '../../src/meter/book.ts';

const now = Date.parse('2026-03-01T22:00:00Z');
const world = { now, isAlive: () => false };
const call = { provider: 'p', agent: 'a', root: '/', task: 't', step: 's', by: ownIdentity() };
const wish: Wish = { mark: 'm1', call, caps: [{ scope: 'day', caps: { calls: 1 } }] };
const used = { calls: 1, tokens: 10, money: 1, seconds: 1 };

function booked(...events: NewMeterEvent[]): Book {
  const at = new Date(now).toISOString();
  return events.reduce((book, event) => applyEvent(book, { v: 1, at, ...event }), emptyBook());
}

it('a call that was settled before its docket died is neither asked for again nor counted twice', () => {
  const book = booked({ type: 'reserved', mark: 'm1', call }, { type: 'settled', mark: 'm1', used });
  expect(admit(book, wish, world)).toEqual({ answer: { kind: 'go', probe: false }, events: [] });
  expect(admit(book, { ...wish, mark: 'm2' }, world).answer).toMatchObject({ kind: 'cap' });
});

it('one that the book knows no more is taken over all the same: its page was turned', () => {
  const book = booked({ type: 'reserved', mark: 'm0', call }, { type: 'settled', mark: 'm0', used });
  expect(admit(book, wish, world).answer).toMatchObject({ kind: 'cap' });
  const { answer, events } = admit(book, { ...wish, begun: true }, world);
  expect([answer.kind, events.map(({ type }) => type)]).toEqual(['go', ['reserved']]);
});

it('one that tried stays the one that tries', () => {
  const book = booked({ type: 'reserved', mark: 'm1', call: { ...call, probe: true } });
  expect(admit(book, wish, world).answer).toEqual({ kind: 'go', probe: true });
});

it('while one task tries a provider whose limit is over, the others wait for what it finds', () => {
  const limit = {
    kind: 'limit',
    since: '2026-03-01T20:00:00Z',
    until: '2026-03-01T21:00:00Z',
    told: true,
    reason: 'usage limit reached',
    source: 't s',
    strikes: 0,
  } as const;
  const alive = { now, isAlive: () => true };
  const free = { ...wish, caps: [] };
  const parked = booked({ type: 'parked', provider: 'p', parked: limit });
  expect(admit(parked, free, alive).answer).toEqual({ kind: 'go', probe: true });
  const at = new Date(now).toISOString();
  const trying = applyEvent(parked, {
    v: 1,
    at,
    type: 'reserved',
    mark: 'm1',
    call: { ...call, probe: true },
  });
  expect(admit(trying, { ...free, mark: 'm2' }, alive).answer).toMatchObject({ kind: 'parked', tried: true });
});
