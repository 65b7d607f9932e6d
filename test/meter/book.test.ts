import { describe, expect, it } from 'vitest';
import { ownIdentity } from '../../src/io/identity.ts';
import { admit, type DayCaps } from '../../src/meter/admit.ts';
import { applyEvent, emptyBook, parkedNow, type Book, type NewMeterEvent } from '../../src/meter/book.ts';

const at = '2026-03-01T12:00:00.000Z';
const now = Date.parse(at);
const used = { calls: 1, tokens: 5, money: 0, seconds: 1 };
const call = (provider = 'p') => ({
  provider,
  agent: 'a',
  root: '/',
  task: 't',
  step: 's',
  by: ownIdentity(),
});
const reserved = (mark: string, provider?: string): NewMeterEvent => ({
  type: 'reserved',
  mark,
  call: call(provider),
});
const settled = (mark: string): NewMeterEvent => ({ type: 'settled', mark, used });
const parked = {
  since: at,
  until: at,
  told: true,
  kind: 'limit' as const,
  reason: 'r',
  source: 's',
  strikes: 0,
};

function bookOf(...events: NewMeterEvent[]): Book {
  return events.reduce<Book>((book, event) => applyEvent(book, { v: 1, at, ...event }), emptyBook());
}

describe('the book', () => {
  it('has a call from its reservation until it is voided', () => {
    expect(bookOf(reserved('a')).calls).toEqual({ a: { ...call(), at } });
    expect(bookOf(reserved('a'), { type: 'voided', mark: 'a' }).calls).toEqual({});
  });

  it('knows what a settled call used, also when its docket is found dead later', () => {
    const { calls } = bookOf(reserved('a'), settled('a'), { type: 'lost', mark: 'a' });
    expect(calls).toEqual({ a: { ...call(), at, used } });
    const late = bookOf(reserved('a'), { type: 'lost', mark: 'a' }, settled('a'));
    expect(late.calls).toEqual(calls);
  });

  it('leaves a provider alone until it is opened', () => {
    const book = bookOf({ type: 'parked', provider: 'p', parked });
    expect(parkedNow(book, 'p')).toEqual(parked);
    expect(parkedNow(applyEvent(book, { v: 1, at, type: 'opened', provider: 'p' }), 'p')).toBeUndefined();
    expect(parkedNow(book, 'toString')).toBeUndefined();
  });
});

describe('a cap of a day', () => {
  const caps = (more: Partial<DayCaps>): readonly DayCaps[] => [
    { scope: 'day', caps: { calls: 1 }, ...more },
  ];
  const answer = (book: Book, of: readonly DayCaps[], isAlive = true) =>
    admit(book, { mark: 'new', call: call(), caps: of }, { now, isAlive: () => isAlive });

  it.each<[string, Partial<DayCaps>, string, string]>([
    ['of all providers counts every call', {}, 'q', 'cap'],
    ['of one provider counts its calls', { provider: 'p' }, 'p', 'cap'],
    ['of one provider does not count others', { provider: 'p' }, 'q', 'go'],
    ['of one provider counts its accounts', { provider: 'p' }, 'p@work', 'cap'],
    ['of another provider does not hold this one', { provider: 'q' }, 'q', 'go'],
    ['of another project does not hold this one', { here: { root: '/other' } }, 'p', 'go'],
  ])('%s', (_what, more, provider, kind) => {
    expect(answer(bookOf(reserved('a', provider), settled('a')), caps(more)).answer.kind).toBe(kind);
  });

  it('counts a call whose docket has died as lost, and says so once', () => {
    const book = bookOf(reserved('a'));
    expect(answer(book, caps({ caps: { calls: 9 } }), false).events).toMatchObject([
      { type: 'lost', mark: 'a' },
      { type: 'reserved', mark: 'new' },
    ]);
    expect(answer(book, caps({ caps: { calls: 9 } })).events).toMatchObject([{ type: 'reserved' }]);
  });
});
