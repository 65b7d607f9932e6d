import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { replaceFile } from '../../io/files.ts';
import { bestLockKind, lockWithin, openMutex } from '../../io/lock.ts';
import { ignoreOwn, makeOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';
import { emptyBook, type Book } from './book.ts';

const lockWaitMs = 10_000;
const longest = 16 * 1024 * 1024;

/** docket's own folder for it; made where it is missing. */
export function notifyFolder(root: string): string {
  const folder = makeOwnFolder(root, '.docket', 'notify');
  ignoreOwn(path.dirname(folder));
  return folder;
}

const bookIn = (root: string): string => path.join(root, '.docket', 'notify', 'book.json');

/** Without a lock, for who only looks. */
export function readBook(root: string): Book {
  const text = readTextFile(bookIn(root), longest);
  if (text === undefined) return emptyBook;
  const book = parsed(text);
  if (book) return book;
  throw new DocketError(
    'BAD_FILE',
    '.docket/notify/book.json does not say what was told',
    'remove .docket/notify/book.json: then what needs a person now is told once more',
    { path: bookIn(root) },
  );
}

/** One docket after the other; on disk before anybody acts on it. */
export async function changeBook(root: string, change: (book: Book) => Book): Promise<Book> {
  const folder = notifyFolder(root);
  const mutex = openMutex(path.join(folder, 'lock'), bestLockKind());
  try {
    await lockWithin(mutex, lockWaitMs);
    const before = readBook(root);
    const after = change(before);
    if (after !== before) replaceFile(bookIn(root), `${JSON.stringify(after)}\n`, { sync: true, own: true });
    return after;
  } finally {
    mutex.close();
  }
}

function parsed(text: string): Book | undefined {
  try {
    const book = JSON.parse(text) as Book;
    const isBook = book.v === 1 && [book.waiting, book.made, book.told].every(Array.isArray);
    return isBook ? book : undefined;
  } catch {
    return undefined;
  }
}
