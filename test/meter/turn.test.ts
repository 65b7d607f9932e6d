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
