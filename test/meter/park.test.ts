import { describe, expect, it } from 'vitest';
import { parkedBy, triedFrom, type Notice } from '../../src/meter/admit.ts';

const now = Date.parse('2026-03-01T18:00:00Z');
const minute = 60_000;
const notice = (more: Partial<Notice> = {}): Notice => ({
  kind: 'limit',
  reason: 'limit: so',
  source: 't/work',
  probe: false,
  ...more,
});
const iso = (time: number) => new Date(time).toISOString();
const waits = (until: string, from = now) => (Date.parse(until) - from) / 1000;

describe('a provider is left alone', () => {
  it('until the time that it said, and a little longer', () => {
    const parked = parkedBy(notice({ resetAt: iso(now + 60 * minute) }), undefined, now);
    expect(parked).toMatchObject({ told: true, strikes: 0, since: iso(now) });
    expect(waits(parked.until)).toBe(3605);
  });

  it('for a minute when it said none, or one that is past', () => {
    expect(waits(parkedBy(notice(), undefined, now).until)).toBe(60);
    const past = parkedBy(notice({ resetAt: iso(now - minute) }), undefined, now);
    expect([waits(past.until), past.told]).toEqual([60, false]);
  });

  it('longer with every try in vain, and never longer than half an hour beyond what it says', () => {
    let parked = parkedBy(notice(), undefined, now);
    const guesses: number[] = [];
    for (let at = Date.parse(parked.until); guesses.length < 7; at = Date.parse(parked.until)) {
      parked = parkedBy(notice({ probe: true }), parked, at);
      guesses.push(waits(parked.until, at));
    }
    expect(guesses).toEqual([120, 240, 480, 960, 1800, 1800, 1800]);
  });

  it('with a growing margin when its own time was wrong', () => {
    let parked = parkedBy(notice({ resetAt: iso(now + minute) }), undefined, now);
    const margins: number[] = [];
    for (let at = Date.parse(parked.until); margins.length < 3; at = Date.parse(parked.until)) {
      parked = parkedBy(notice({ probe: true, resetAt: iso(at + minute) }), parked, at);
      margins.push(waits(parked.until, at) - 60);
    }
    expect(margins).toEqual([60, 120, 240]);
  });

  it('once for calls that were at work together: only the latest time counts', () => {
    const first = parkedBy(notice({ resetAt: iso(now + 60 * minute) }), undefined, now);
    const second = parkedBy(notice({ resetAt: iso(now + 30 * minute) }), first, now + 1000);
    expect([second.strikes, second.until]).toEqual([0, first.until]);
  });

  it('not until a time that was written while the clock was wrong, whoever noticed', () => {
    const ahead = now + 400 * 24 * 60 * minute;
    for (const resetAt of [undefined, iso(ahead + 60 * minute)]) {
      const told = resetAt === undefined ? {} : { resetAt };
      const wrong = parkedBy(notice(told), undefined, ahead);
      expect(triedFrom(wrong, ahead)).toBe(Date.parse(wrong.until));
      expect(triedFrom(wrong, now)).toBe(now);
      expect(waits(parkedBy(notice(), wrong, now).until)).toBe(60);
      // Who tried, and heard the same: not once more at once.
      const tried = parkedBy(notice({ probe: true }), wrong, now);
      expect((triedFrom(tried, now) - now) / 1000).toBe(120);
    }
    const later = parkedBy(notice({ probe: true }), parkedBy(notice(), undefined, now), ahead);
    expect(triedFrom(later, now + minute)).toBe(now + minute);
  });

  it('as the same limit when it comes back soon after it seemed to be over', () => {
    const first = parkedBy(notice(), undefined, now);
    const opened = { ...first, openedAt: iso(now + minute) };
    expect(parkedBy(notice(), opened, now + 2 * minute)).toMatchObject({ strikes: 1, since: first.since });
    expect(parkedBy(notice(), opened, now + 60 * minute)).toMatchObject({ strikes: 0 });
  });
});
