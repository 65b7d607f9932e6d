import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DocketError } from '../../src/errors.ts';
import { decodeLine, encodeLine } from '../../src/store/codec.ts';
import {
  add,
  addAndBlock,
  journalOf,
  lookAt,
  openStore,
  scratch,
  storeFile,
  treeOf,
} from '../support/scratch.ts';

/** A store of four transactions, the third of them with two events: five events, lines 2 to 6. */
async function smallStore(): Promise<string> {
  const root = scratch();
  const backend = await openStore(root);
  await add(backend, 'one');
  await add(backend, 'two');
  await addAndBlock(backend, 'three');
  await add(backend, 'four');
  await backend.close();
  return root;
}

function edit(root: string, change: (bytes: Buffer) => Buffer): void {
  const file = journalOf(root);
  fs.writeFileSync(file, change(fs.readFileSync(file)));
}

function editLines(root: string, change: (lines: string[]) => string[]): void {
  edit(root, (bytes) => Buffer.from(`${change(bytes.toString('utf8').trimEnd().split('\n')).join('\n')}\n`));
}

/** What the two ways to open a damaged store say; both must leave every byte of it alone. */
async function refusals(root: string): Promise<DocketError[]> {
  const before = treeOf(root);
  const reading = failureOf(() => lookAt(root));
  const afterReading = treeOf(root);
  const writing: unknown = await openStore(root).catch((error: unknown) => error);
  expect({ afterReading, afterWriting: treeOf(root) }).toEqual({
    afterReading: before,
    afterWriting: before,
  });
  const errors = [reading, writing];
  expect(errors).toEqual([expect.any(DocketError), expect.any(DocketError)]);
  return errors as DocketError[];
}

function failureOf(run: () => unknown): unknown {
  try {
    return run() && undefined;
  } catch (error) {
    return error;
  }
}

interface Damage {
  name: string;
  damage: (root: string) => void;
  code?: string;
  line?: number;
  file?: string;
  says?: RegExp;
}

/** Line `n` of the file, counted from 1, made into something else. */
const line = (n: number, change: (text: string) => string) => (root: string) =>
  editLines(root, (lines) => lines.map((text, index) => (index === n - 1 ? change(text) : text)));

/** One more line, as a docket would have written it. */
const nextEvent = (event: { v: number; taskId: string; type: string }) => (root: string) =>
  fs.appendFileSync(
    journalOf(root),
    encodeLine({ ...event, seq: 6, at: '2026-01-01T00:00:00.000Z', by: 'x', data: {} }),
  );

const damages: Damage[] = [
  { name: 'a deleted line', damage: (root) => editLines(root, (lines) => lines.toSpliced(2, 1)), line: 3 },
  {
    name: 'a line that is there twice',
    damage: (root) => editLines(root, (lines) => lines.toSpliced(2, 0, lines[2]!)),
    line: 4,
  },
  {
    name: 'two lines that changed places',
    damage: (root) => editLines(root, (lines) => [lines[0]!, lines[2]!, lines[1]!, ...lines.slice(3)]),
    line: 2,
  },
  {
    name: 'a value edited by hand',
    damage: line(3, (text) => text.replace('Title of two', 'Title of 2')),
    line: 3,
  },
  { name: 'the last line edited by hand', damage: line(6, (text) => text.replace('four', 'fore')), line: 6 },
  { name: 'a line that is no JSON', damage: line(3, () => 'hello'), line: 3 },
  { name: 'an empty line', damage: line(3, (text) => `\n${text}`), line: 3 },
  {
    name: 'a block of zero bytes inside a line, good lines behind it',
    damage: (root) => edit(root, (bytes) => bytes.fill(0, 700, 900)),
    says: /zero bytes/,
  },
  {
    name: 'a block of zero bytes longer than a read, good lines behind it',
    damage: line(3, (text) => text.slice(0, 40) + '\0'.repeat(3 << 20) + text.slice(40)),
    line: 3,
    says: /zero bytes/,
  },
  {
    name: 'CRLF',
    damage: (root) => edit(root, (bytes) => Buffer.from(bytes.toString('utf8').replaceAll('\n', '\r\n'))),
    line: 1,
    says: /CRLF/,
  },
  { name: 'CRLF on one line', damage: line(4, (text) => `${text}\r`), line: 4, says: /CRLF/ },
  {
    name: 'a byte order mark',
    damage: (root) => edit(root, (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
    line: 1,
    says: /byte order mark/,
  },
  {
    name: 'UTF-16',
    damage: (root) => edit(root, (bytes) => Buffer.from(`\ufeff${bytes.toString('utf8')}`, 'utf16le')),
    line: 1,
    says: /UTF-16/,
  },
  {
    name: 'bytes that are no UTF-8',
    damage: (root) =>
      edit(root, (bytes) => {
        bytes[bytes.indexOf('Title of two')] = 0xff;
        return bytes;
      }),
    line: 3,
    says: /UTF-8/,
  },
  { name: 'an empty file', damage: (root) => edit(root, () => Buffer.alloc(0)), line: 1, says: /empty/ },
  { name: 'half a header', damage: (root) => edit(root, (bytes) => bytes.subarray(0, 20)), line: 1 },
  {
    name: 'a header that is another file',
    damage: line(1, () => encodeLine({ docket: 'notes', v: 1 }).trimEnd()),
    line: 1,
  },
  {
    name: 'a folder in its place',
    damage: (root) => {
      fs.rmSync(journalOf(root));
      fs.mkdirSync(journalOf(root));
    },
    code: 'BAD_FILE',
  },
  {
    name: 'no journal where the rest of the store is',
    damage: (root) => fs.rmSync(journalOf(root)),
    says: /gone/,
  },
  {
    name: 'a journal of a newer format',
    damage: line(1, () => encodeLine({ docket: 'journal', v: 2, store: 's', base: 0 }).trimEnd()),
    code: 'NEWER_FORMAT',
  },
  {
    name: 'an event of an unknown type',
    damage: nextEvent({ v: 1, taskId: 'one', type: 'task.sung' }),
    code: 'NEWER_FORMAT',
    line: 7,
    says: /task\.sung/,
  },
  {
    name: 'an event of an unknown type that makes a task',
    damage: nextEvent({ v: 1, taskId: 'six', type: 'task.sung' }),
    code: 'NEWER_FORMAT',
    line: 7,
  },
  {
    name: 'an event of a newer format',
    damage: nextEvent({ v: 2, taskId: 'one', type: 'task.archived' }),
    code: 'NEWER_FORMAT',
    line: 7,
  },
  {
    name: 'an event about a task that was never made',
    damage: nextEvent({ v: 1, taskId: 'six', type: 'task.archived' }),
    line: 7,
  },
  {
    name: 'a store description that is garbage',
    damage: (root) => fs.writeFileSync(storeFile(root, 'store.json'), 'lock: kernel'),
    code: 'BAD_FILE',
    file: 'store.json',
  },
  {
    name: 'a store description that is empty',
    damage: (root) => fs.writeFileSync(storeFile(root, 'store.json'), ''),
    code: 'BAD_FILE',
    file: 'store.json',
  },
  {
    name: 'a store description that is newer',
    damage: (root) => fs.writeFileSync(storeFile(root, 'store.json'), '{"v":2,"lock":"cloud"}'),
    code: 'NEWER_FORMAT',
    file: 'store.json',
  },
];

describe('a damaged journal is refused, and nothing is changed', () => {
  test.each(damages)(
    '$name',
    async ({ damage, code = 'BAD_JOURNAL', line, file = 'journal.jsonl', says }) => {
      const root = await smallStore();
      damage(root);
      for (const error of await refusals(root)) {
        expect(error.code).toBe(code);
        expect(error.data).toMatchObject({
          path: storeFile(root, file),
          ...(line !== undefined && { line }),
        });
        expect(error.message).toContain(
          line === undefined ? storeFile(root, file) : `${storeFile(root, file)}:${line}`,
        );
        expect(error.fix).not.toBe('');
        expect(error.message).toMatch(says ?? /./);
      }
    },
  );

  test('every single flipped bit of a line is found', async () => {
    const root = await smallStore();
    const journal = fs.readFileSync(journalOf(root));
    const start = journal.indexOf(10) + 1;
    const end = journal.indexOf(10, start);
    const unseen: string[] = [];
    for (let at = start; at < end; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const damaged = Buffer.from(journal.subarray(0, end));
        damaged[at]! ^= 1 << bit;
        if (decodeLine(damaged, start, end) !== undefined) unseen.push(`byte ${at} bit ${bit}`);
      }
    }
    // And through the whole way in, line ends and header included, one bit of each byte.
    for (let at = 0; at <= end; at += 1) {
      const damaged = Buffer.from(journal);
      damaged[at]! ^= 1 << (at % 8);
      fs.writeFileSync(journalOf(root), damaged);
      if (!(failureOf(() => lookAt(root)) instanceof DocketError)) unseen.push(`byte ${at}`);
    }
    expect(unseen).toEqual([]);
  });

  test('a refused open leaves no open file behind', async () => {
    const root = await smallStore();
    editLines(root, (lines) => lines.toSpliced(2, 1));
    const openFiles = () =>
      fs.readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`)?.startsWith(root)).length;
    await refusals(root);
    expect(openFiles()).toBe(0);
  });
});

function linkOf(file: string): string | undefined {
  try {
    return fs.readlinkSync(file);
  } catch {
    return undefined;
  }
}
