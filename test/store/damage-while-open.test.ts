import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DocketError } from '../../src/errors.ts';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { Journal } from '../../src/store/file/journal.ts';
import { storeChild } from '../support/child.ts';
import {
  add,
  journalOf,
  lookAt,
  mirrorOf,
  openStore,
  scratch,
  statuses,
  storeFile,
} from '../support/scratch.ts';

async function failureOf(promise: Promise<unknown>): Promise<DocketError> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(DocketError);
  return error as DocketError;
}

describe('a journal that changes under an open store', () => {
  test('is deleted: nothing is acknowledged into a file without a name', async () => {
    const root = scratch();
    const backend = await openStore(root);
    await add(backend, 'one');
    const kept = fs.readFileSync(journalOf(root));
    fs.rmSync(journalOf(root));
    for (const id of ['two', 'three']) {
      const error = await failureOf(add(backend, id));
      expect(error).toMatchObject({ code: 'BAD_JOURNAL', data: { path: journalOf(root) } });
    }
    expect(fs.existsSync(journalOf(root))).toBe(false);
    // Put back, it goes on.
    fs.writeFileSync(journalOf(root), kept);
    await add(backend, 'four');
    await backend.close();
    expect(statuses(lookAt(root).tasks)).toEqual({ one: 'queued', four: 'queued' });
  });

  test('is cut short: the first command after it says so', async () => {
    const root = scratch();
    const backend = await openStore(root);
    await add(backend, 'one');
    const { size } = fs.statSync(journalOf(root));
    await add(backend, 'two');
    fs.truncateSync(journalOf(root), size);
    const error = await failureOf(add(backend, 'three'));
    expect(error).toMatchObject({ code: 'BAD_JOURNAL', data: { path: journalOf(root) } });
    expect(fs.statSync(journalOf(root)).size).toBe(size);
  });

  test('is replaced by an older one: the first command after it says so', async () => {
    const root = scratch();
    const backend = await openStore(root);
    await add(backend, 'one');
    fs.copyFileSync(journalOf(root), path.join(root, 'backup'));
    await add(backend, 'two');
    fs.renameSync(path.join(root, 'backup'), journalOf(root));
    const error = await failureOf(add(backend, 'three'));
    expect(error).toMatchObject({ code: 'BAD_JOURNAL', data: { path: journalOf(root) } });
  });
});

describe('a journal that is behind the files', () => {
  /** What a power loss leaves when the files reached the disk and the journal's last lines did not. */
  test('neither the journal nor the file forgets a task', async () => {
    const root = scratch();
    const backend = await openStore(root);
    await add(backend, 'one');
    const { size } = fs.statSync(journalOf(root));
    await add(backend, 'two');
    await add(backend, 'three');
    await backend.close();
    fs.truncateSync(journalOf(root), size);
    fs.rmSync(storeFile(root, 'mark.json')); // it follows the flush of the journal, which never came

    const again = await openStore(root);
    await add(again, 'four');
    await again.close();
    const names = (tasks: ReturnType<typeof lookAt>['tasks']) =>
      tasks.map((task) => queueLayout.ref(task)).toSorted();
    const listed = queueLayout.split(fs.readFileSync(mirrorOf(root), 'utf8')).entries.map(({ ref }) => ref);
    expect(names(lookAt(root).tasks)).toEqual(['four', 'one', 'three', 'two']);
    expect(listed.toSorted()).toEqual(['four', 'one', 'three', 'two']);
  });

  test('a task that it shows further on than it is, is shown as it is', async () => {
    const root = scratch();
    const backend = await openStore(root);
    await add(backend, 'one');
    await add(backend, 'two');
    const { size } = fs.statSync(journalOf(root));
    await backend.transact({
      events: [{ type: 'task.canceled', taskId: 'one', by: 'ann', data: { reason: 'no' } }],
      expect: {},
    });
    await backend.close();
    fs.truncateSync(journalOf(root), size);
    fs.rmSync(storeFile(root, 'mark.json')); // it follows the flush of the journal, which never came
    const again = await openStore(root);
    expect(statuses(await again.list())).toEqual({ one: 'queued', two: 'queued' });
    await again.close();
    const { entries } = queueLayout.split(fs.readFileSync(mirrorOf(root), 'utf8'));
    const said = entries.map((entry) => {
      const parsed = queueLayout.parse(entry);
      return 'fields' in parsed ? parsed.fields['status'] : parsed.wrong.message;
    });
    expect(said).toEqual(['pending', 'pending']);
  });
});

describe('a snapshot', () => {
  async function withSnapshot(): Promise<{ root: string; expected: Record<string, string> }> {
    const root = scratch();
    const backend = await openStore(root);
    await add(backend, 'one');
    await backend.compact();
    await add(backend, 'two');
    await backend.close();
    expect(fs.existsSync(storeFile(root, 'snapshot.jsonl'))).toBe(true);
    return { root, expected: { one: 'queued', two: 'queued' } };
  }

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut', (bytes) => bytes.subarray(0, bytes.length - 9)],
    ['zeros', (bytes) => Buffer.alloc(bytes.length)],
    ['a flipped bit', (bytes) => bytes.fill(bytes.at(-5)! ^ 1, bytes.length - 5, bytes.length - 4)],
    [
      'a header without numbers',
      (bytes) => Buffer.from(bytes.toString('utf8').replace(/"offset":\d+/, '"offset":"x"')),
    ],
    [
      'an offset inside a line',
      (bytes) => Buffer.from(bytes.toString('utf8').replace(/"offset":\d+/, '"offset":30')),
    ],
    [
      'a count that is wrong',
      (bytes) => Buffer.from(bytes.toString('utf8').replace(/"active":\d+/, '"active":7')),
    ],
    ['a newer format', (bytes) => Buffer.from(bytes.toString('utf8').replace('"v":1', '"v":2'))],
  ])('that is damaged (%s) heals by itself', async (_, damage) => {
    const { root, expected } = await withSnapshot();
    const file = storeFile(root, 'snapshot.jsonl');
    fs.writeFileSync(file, damage(fs.readFileSync(file)));
    expect(statuses(lookAt(root).tasks)).toEqual(expected);
    const warnings: string[] = [];
    const backend = await openStore(root, { warn: (text) => warnings.push(text) });
    expect(statuses(await backend.list())).toEqual(expected);
    await add(backend, 'three');
    await backend.close();
    expect(warnings).toEqual([]);
    expect(statuses(lookAt(root).tasks)).toEqual({ ...expected, three: 'queued' });
  });

  test('is used only when the journal has that event at that place', async () => {
    const { root } = await withSnapshot();
    const bytes = fs.readFileSync(journalOf(root));
    const header = bytes.indexOf(10) + 1;
    const seek = (position: { base: number; seq: number; offset: number }) => {
      const journal = new Journal(journalOf(root), 'read');
      try {
        return journal.seek(position);
      } finally {
        journal.close();
      }
    };
    expect(seek({ base: 1, seq: 1, offset: header })).toBe(true);
    expect(seek({ base: 1, seq: 2, offset: bytes.length })).toBe(true);
    // What an older journal, put back from a backup, looks like to a snapshot of a newer one.
    expect(seek({ base: 1, seq: 3, offset: bytes.length })).toBe(false);
    expect(seek({ base: 1, seq: 2, offset: bytes.length - 1 })).toBe(false);
    expect(seek({ base: 1, seq: 2, offset: bytes.length + 1 })).toBe(false);
    expect(seek({ base: 0, seq: 2, offset: bytes.length })).toBe(false);
  });
});

describe('100 MB without a line end', () => {
  async function store(): Promise<string> {
    const root = scratch();
    const backend = await openStore(root);
    await add(backend, 'one');
    await backend.close();
    return root;
  }

  test('of text are refused without being read', { timeout: 120_000 }, async () => {
    const root = await store();
    const [healthy] = (await storeChild(root, ['read'])).slice(-1);
    const piece = 'abcdefgh'.repeat(1 << 17);
    for (let n = 0; n < 100; n += 1) fs.appendFileSync(journalOf(root), piece);
    const { size } = fs.statSync(journalOf(root));
    for (const op of ['read', 'add:two']) {
      const answers = await storeChild(root, [op]);
      expect(answers[0]).toMatchObject({
        op,
        error: { code: 'BAD_JOURNAL', path: journalOf(root), line: 3 },
      });
      expect(answers.at(-1)!.rssKb! - healthy!.rssKb!).toBeLessThan(32 * 1024);
    }
    expect(fs.statSync(journalOf(root)).size).toBe(size);
  });

  test('of zeros are looked through piece by piece', { timeout: 120_000 }, async () => {
    const root = await store();
    const good = fs.readFileSync(journalOf(root)).subarray(-40); // the end of a line, not a line
    const { size } = fs.statSync(journalOf(root));
    fs.truncateSync(journalOf(root), size + (100 << 20));
    fs.appendFileSync(journalOf(root), good);
    const answers = await storeChild(root, ['read']);
    expect(answers[0]).toMatchObject({ tasks: [['one', 'queued']] });
    expect(answers.at(-1)!.rssKb).toBeLessThan(140 * 1024);
  });
});
