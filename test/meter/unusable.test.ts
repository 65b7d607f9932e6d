import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { BookFile } from '../../src/meter/book-file.ts';
import { scratch } from '../support/scratch.ts';

const nothing = () => ({ answer: undefined, events: [] });

it.each<[string, (dir: string) => void]>([
  ['is a folder', (dir) => mkdirSync(path.join(dir, 'meter', 'book.jsonl'), { recursive: true })],
  [
    'has a folder for its lock',
    (dir) => mkdirSync(path.join(dir, 'meter', 'book.lock'), { recursive: true }),
  ],
  ['lies in a file', (dir) => writeFileSync(path.join(dir, 'meter'), '')],
])('a book that %s stops the run, and is no fault of a task', async (_what, spoil) => {
  const dir = scratch();
  spoil(dir);
  const book = new BookFile(path.join(dir, 'meter'), 'write');
  await expect(book.write(() => 0, nothing)).rejects.toMatchObject({ code: 'BAD_JOURNAL' });
});
