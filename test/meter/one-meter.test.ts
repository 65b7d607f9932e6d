import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { BookFile } from '../../src/meter/book-file.ts';
import { Meter } from '../../src/meter/meter.ts';
import { scratch } from '../support/scratch.ts';

const about = { provider: 'p', agent: 'a', root: '/', task: 't', step: 's', caps: [] };

it('tasks of one process share a meter, and every call of theirs is in the book', async () => {
  const dir = scratch();
  const meter = new Meter(dir, () => Date.parse('2026-03-01T12:00:00Z'));
  const marks = Array.from({ length: 25 }, (_, n) => `m${n}`);
  await Promise.all(
    marks.map(async (mark) => {
      await meter.admit({ mark, ...about });
      meter.book(); // a look in between must not take the file from the writers
      await meter.over(mark, { used: { calls: 1, tokens: 1, money: 0, seconds: 1 }, answered: true });
    }),
  );
  const { calls } = new BookFile(dir, 'read').read();
  expect(Object.keys(calls).toSorted()).toEqual(marks.toSorted());
  expect(Object.values(calls).every(({ used }) => used?.calls === 1)).toBe(true);
  expect(meter.book().calls).toEqual(calls);
});

it('a meter that has read a book sees what another process writes later', async () => {
  const dir = scratch();
  const now = () => Date.parse('2026-03-01T12:00:00Z');
  const [one, other] = [new Meter(dir, now), new Meter(dir, now)];
  await one.admit({ mark: 'a', ...about });
  await other.admit({ mark: 'b', ...about });
  await one.admit({ mark: 'c', ...about });
  expect(Object.keys(one.book().calls)).toEqual(['a', 'b', 'c']);
  expect(other.book()).toEqual(one.book());
});

it('a book that somebody writes anew in the same file is read from its beginning', async () => {
  const [dir, other] = [scratch(), scratch()];
  const now = () => Date.parse('2026-03-01T12:00:00Z');
  const meter = new Meter(dir, now);
  await meter.admit({ mark: 'a', ...about });
  const longer = new Meter(other, now);
  for (const mark of ['x', 'y', 'z']) await longer.admit({ mark, ...about });
  fs.writeFileSync(path.join(dir, 'book.jsonl'), fs.readFileSync(path.join(other, 'book.jsonl')));
  expect(Object.keys(meter.book().calls)).toEqual(['x', 'y', 'z']);
});
