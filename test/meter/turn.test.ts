import path from 'node:path';
import { expect, it } from 'vitest';
import { bestLockKind, openMutex } from '../../src/io/lock.ts';
import { wholeBook } from '../../src/meter/book-file.ts';
import { Meter } from '../../src/meter/meter.ts';
import { scratch } from '../support/scratch.ts';

it('what had to wait for its turn is written down with the time of its turn', async () => {
  const dir = scratch();
  let time = Date.parse('2026-03-01T22:00:00Z');
  const meter = new Meter(dir, () => time);
  const other = openMutex(path.join(dir, 'book.lock'), bestLockKind());
  expect(other.tryLock()).toBe(true);
  const asked = { mark: 'm', provider: 'p', agent: 'a', root: '/', task: 't', step: 's', caps: [] };
  const answer = meter.admit(asked);
  time += 60_000;
  other.unlock();
  other.close();
  expect(await answer).toMatchObject({ kind: 'go' });
  expect([...wholeBook(dir)].map(({ at }) => at)).toEqual(['2026-03-01T22:01:00.000Z']);
});

it('the day has what was spent in it, also after a clock that was ahead turned the page', async () => {
  const today = new Date(2026, 2, 1, 12).getTime();
  let time = today;
  const meter = new Meter(scratch(), () => time);
  const caps = [{ scope: 'day', caps: { money: 1 } }];
  const about = { provider: 'p', agent: 'a', root: '/', task: 't', step: 's', caps };
  const spend = async (mark: string, money: number) => {
    const { kind } = await meter.admit({ mark, ...about });
    if (kind !== 'go') return kind;
    await meter.over(mark, { used: { calls: 1, tokens: 1, money, seconds: 1 }, answered: true });
    return money;
  };
  expect(await spend('a', 1)).toBe(1);
  time += 9 * 24 * 60 * 60_000;
  expect(await spend('b', 0.1)).toBe(0.1);
  time = today;
  expect(await spend('c', 1)).toBe('cap');
});
