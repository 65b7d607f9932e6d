import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  add,
  addAndBlock,
  journalOf,
  lookAt,
  openStore,
  scratch,
  statuses,
  storeDir,
  storeFile,
  treeOf,
} from '../support/scratch.ts';

describe('a torn tail', () => {
  /** The store after each of its transactions, and after the last of them the whole journal. */
  async function stages(): Promise<{ stores: string[]; journal: Buffer }> {
    const root = scratch();
    const stores: string[] = [];
    const keep = () => {
      const copy = scratch();
      fs.cpSync(root, copy, { recursive: true, preserveTimestamps: true });
      stores.push(copy);
    };
    const backend = await openStore(root);
    await add(backend, 'one');
    keep();
    await addAndBlock(backend, 'two');
    keep();
    await add(backend, 'three');
    keep();
    await backend.close();
    return { stores, journal: fs.readFileSync(journalOf(root)) };
  }

  test('is cut off and kept aside, wherever the write stopped', { timeout: 240_000 }, async () => {
    const { stores, journal } = await stages();
    for (const [index, store] of stores.entries()) {
      const kept = fs.statSync(journalOf(store)).size;
      const next = stores[index + 1];
      const end = next === undefined ? kept : fs.statSync(journalOf(next)).size - 1;
      for (let cut = kept; cut <= end; cut += 1) await reopenTorn(store, journal.subarray(0, cut), kept);
    }
    expect(stores).toHaveLength(3);
  });

  test('of zero bytes is one too, however long', async () => {
    const { stores, journal } = await stages();
    const [store] = stores;
    const kept = fs.statSync(journalOf(store!)).size;
    const zeros = Buffer.concat([
      journal.subarray(0, kept),
      Buffer.from('{"v":1,"se'),
      Buffer.alloc(5 << 20),
    ]);
    await reopenTorn(store!, zeros, kept);
    const lines = Buffer.concat([
      journal.subarray(0, kept),
      Buffer.alloc(600),
      Buffer.from('"}\n'),
      Buffer.alloc(90),
    ]);
    await reopenTorn(store!, lines, kept);
    expect(statuses(lookAt(store!).tasks)).toEqual({ one: 'queued' });
  });

  /** Without the high-water mark: these stores are copies, and a mark belongs to the place where it was made. */
  function treeWithoutMark(root: string): Record<string, string> {
    return Object.fromEntries(Object.entries(treeOf(root)).filter(([name]) => !name.endsWith('mark.json')));
  }

  /** Leaves the store as it found it, so that the next cut can have it. */
  async function reopenTorn(root: string, journal: Buffer, kept: number): Promise<void> {
    const whole = treeWithoutMark(root);
    const expected = statuses(lookAt(root).tasks);
    fs.writeFileSync(journalOf(root), journal);
    const torn = treeOf(root);
    expect(statuses(lookAt(root).tasks)).toEqual(expected);
    expect(treeOf(root), 'changed by a reading open').toEqual(torn);

    const warnings: string[] = [];
    const backend = await openStore(root, { warn: (text) => warnings.push(text), durability: 'relaxed' });
    expect(statuses(await backend.list())).toEqual(expected);
    await backend.close();
    const aside = fs.readdirSync(storeDir(root)).filter((name) => name.startsWith('torn-'));
    expect(aside).toHaveLength(journal.length > kept ? 1 : 0);
    expect(warnings).toHaveLength(aside.length);
    for (const name of aside) {
      expect(fs.readFileSync(storeFile(root, name)).equals(journal.subarray(kept))).toBe(true);
      expect(warnings[0]).toContain(name);
      fs.rmSync(storeFile(root, name));
    }
    expect(treeWithoutMark(root), 'more than the torn end changed').toEqual(whole);
  }
});
