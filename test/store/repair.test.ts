import fs from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { setProbe } from '../../src/io/fault.ts';
import { boardLayout } from '../../src/kinds/board/format/layout.ts';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { repairStore } from '../../src/store/upkeep/repair.ts';
import { board, boardDir, logOf, openBoard, refused, workedQueue } from '../support/lost-log.ts';
import { add, journalOf, lookAt, openStore, statuses, storeDir, storeFile } from '../support/scratch.ts';

afterEach(() => setProbe(undefined));

const clock = { now: () => Date.now() };

describe('a repair that is killed', () => {
  /** Nothing but locks reaches the disk from the nth call on. False: there are fewer. */
  async function killedAt(n: number, run: () => Promise<unknown>): Promise<boolean> {
    let calls = 0;
    setProbe((moment, _, file) => {
      if (moment === 'before' && !file.includes('/locks') && (calls += 1) >= n) throw new Error('killed');
    });
    await run().catch(() => undefined);
    setProbe(undefined);
    return calls >= n;
  }

  test('anywhere: done work is not run again', async () => {
    for (let n = 1, isKilled = true; isKilled; n += 1) {
      const { root, old } = await workedQueue();
      fs.writeFileSync(journalOf(root), old);
      const options = { root, dir: storeDir(root), layout: queueLayout, clock, warn: () => undefined };
      isKilled = await killedAt(n, () => repairStore({ ...options, apply: true }));
      await repairStore({ ...options, apply: true });
      const store = await openStore(root);
      expect(statuses(await store.list()), `killed at ${n}`).toEqual({ a: 'done', b: 'done', c: 'queued' });
      await store.close();
    }
  });

  test('anywhere: no id of a board is given twice', async () => {
    for (let n = 1, isKilled = true; isKilled; n += 1) {
      const root = await board();
      const lines = fs.readFileSync(logOf(root), 'utf8').trimEnd().split('\n');
      fs.writeFileSync(logOf(root), `${lines.slice(0, 2).join('\n')}\n`);
      const options = { root, dir: boardDir(root), layout: boardLayout, clock, warn: () => undefined };
      isKilled = await killedAt(n, () => repairStore({ ...options, apply: true }));
      await repairStore({ ...options, apply: true });
      const store = await openBoard(root);
      expect((await store.list()).map(({ id }) => id)).toEqual(['T-001', 'T-002', 'T-003', 'T-004']);
      await store.close();
    }
  });
});

describe('archived journals', () => {
  /** `a` and `b` are done and in the archive, as is `c`; `d` came later. */
  async function archivedQueue(): Promise<{ root: string; archived: string }> {
    const { root } = await workedQueue();
    const store = await openStore(root);
    await store.compact();
    await add(store, 'd');
    await store.close();
    return { root, archived: storeFile(root, 'archive/000000000000.jsonl') };
  }
  const options = (root: string) => {
    const warn = (): void => undefined;
    return { root, dir: storeDir(root), layout: queueLayout, clock, warn };
  };
  const damages: [string, (file: string) => void][] = [
    ['without its last line', (file) => cutLines(file, -1)],
    ['with a line that was changed', (file) => cutLines(file, -1, 'garbage')],
    ['that is missing', (file) => fs.rmSync(file)],
  ];
  const cutLines = (file: string, keep: number, ...more: string[]): void => {
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, keep);
    fs.writeFileSync(file, `${[...lines, ...more].join('\n')}\n`);
  };

  test.each(damages)('one %s is no trouble while there is a snapshot', async (_, damage) => {
    const { root, archived } = await archivedQueue();
    damage(archived);
    expect(statuses(lookAt(root).tasks)).toMatchObject({ a: 'done', b: 'done', c: 'queued', d: 'queued' });
    expect(await repairStore({ ...options(root), apply: true })).toMatchObject({ needed: false });
    expect(statuses(lookAt(root).tasks)).toMatchObject({ a: 'done', b: 'done', c: 'queued', d: 'queued' });
  });

  test.each(damages)('one %s, and no snapshot: refused until it is repaired', async (_, damage) => {
    const { root, archived } = await archivedQueue();
    damage(archived);
    fs.rmSync(storeFile(root, 'snapshot.jsonl'));
    expect(refused(() => lookAt(root))).toMatchObject({ code: 'BAD_JOURNAL' });
    await expect(openStore(root)).rejects.toMatchObject({ code: 'BAD_JOURNAL' });
    expect(await repairStore({ ...options(root), apply: true })).toMatchObject({ applied: true });
    const each = lookAt(root).tasks.map(({ status }) => status);
    expect(each.toSorted()).toEqual(['done', 'done', 'queued', 'queued']);
    const store = await openStore(root);
    await store.compact();
    await add(store, 'e');
    await store.close();
    fs.rmSync(storeFile(root, 'snapshot.jsonl'));
    expect(lookAt(root).tasks).toHaveLength(5);
    expect(await repairStore({ ...options(root), apply: true })).toMatchObject({ needed: false });
  });

  test('an older copy of the journal that was accepted is archived again, not lost', async () => {
    const { root } = await workedQueue();
    const old = fs.readFileSync(journalOf(root));
    const store = await openStore(root);
    await store.compact();
    await add(store, 'd');
    await store.close();
    fs.writeFileSync(journalOf(root), old);
    expect(await repairStore({ ...options(root), apply: true })).toMatchObject({ applied: true });
    const again = await openStore(root);
    await add(again, 'e');
    await again.compact();
    await again.close();
    fs.rmSync(storeFile(root, 'snapshot.jsonl'));
    expect(lookAt(root).tasks).toHaveLength(5);
  });
});
