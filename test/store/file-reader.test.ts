import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lazyQueueLayout } from '../../src/kinds/queue/format/file.ts';
import { queueLayout } from '../../src/kinds/queue/format/layout.ts';
import { execute } from '../../src/store/execute.ts';
import { openReader } from '../../src/store/open/open.ts';
import type { TaskIndex } from '../../src/store/store.ts';
import type { Command } from '../../src/task/command.ts';
import { add, mirrorOf, openStore, readNow, scratch, storeDir } from '../support/scratch.ts';

const moment = Date.now();
const clock = { now: () => moment };
/** Undefined: people's file was read. */
const quiet = (root: string): Promise<TaskIndex | undefined> =>
  openReader({ root, dir: storeDir(root), layout: lazyQueueLayout }, clock).read({}, (tasks, { fromFile }) =>
    fromFile ? undefined : tasks,
  );
const whole = (root: string) => readNow({ root, dir: storeDir(root), layout: queueLayout, clock });

async function run(store: Awaited<ReturnType<typeof openStore>>, command: Command): Promise<void> {
  const executed = await execute(store, command, { now: new Date().toISOString() });
  if (!executed.ok) throw new Error(executed.refusal.message);
}

/** One queued, one canceled, one removed, and one whose own field is named like the mark of a removed one. */
async function fill(root: string): Promise<void> {
  const store = await openStore(root);
  for (const id of ['waits', 'ends', 'goes', 'poses']) await add(store, id);
  for (const id of ['ends', 'goes', 'poses'])
    await run(store, { type: 'cancel', id, by: 'ann', reason: 'no' });
  const extras = { other: { removedAt: 'the second shelf' } };
  await run(store, { type: 'edit', id: 'poses', by: 'ann', set: { extras } });
  await run(store, { type: 'remove', id: 'goes', by: 'ann', reason: 'no' });
  await store.compact(); // finished tasks now stand in the snapshot as text
  await store.close();
}

function same(ledger: TaskIndex | undefined, root: string): void {
  const { tasks, findings } = whole(root);
  expect(findings).toEqual([]);
  expect(ledger?.listTexts().map((text) => JSON.parse(text) as unknown)).toEqual(tasks);
  expect(ledger?.list()).toEqual(tasks);
}

describe('a reader of a store in files', () => {
  it('reads the same without people’s file: nothing, then tasks in every state, as objects and as text', async () => {
    const root = scratch();
    expect((await quiet(root))?.list()).toEqual([]);
    await fill(root);
    same(await quiet(root), root);
    expect(
      whole(root)
        .tasks.map(({ id }) => id)
        .toSorted(),
    ).toEqual(['ends', 'poses', 'waits']);
    const only = { status: ['canceled' as const] };
    expect((await quiet(root))?.listTexts(only).length).toBe(2);
  });

  it('shows the task of a dead worker as not running', async () => {
    const root = scratch();
    await fill(root);
    const store = await openStore(root);
    const [claim] = await store.claim({ owner: 'ann', max: 1 });
    const [running] = (await quiet(root))?.list({ status: ['running'] }) ?? [];
    expect(running?.id).toBe('waits');
    await run(store, { type: 'requeue', id: 'waits', by: 'ann', reason: 'again', token: claim!.token });
    const { lease } = claim!.task;
    if (lease.kind !== 'process') throw new Error('a claim has a process lease');
    const dead = { ...lease, bootId: 'an earlier one' };
    await run(store, { type: 'start', id: 'waits', by: 'ann', owner: 'ann', lease: dead });
    const ledger = await quiet(root);
    expect(ledger?.get('waits')?.status).toBe('queued');
    same(await quiet(root), root);
  });

  it('reads the file when somebody changed, emptied or took away the file', async () => {
    const root = scratch();
    await fill(root);
    const file = mirrorOf(root);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace('Title of waits', 'Another title'));
    expect(await quiet(root)).toBeUndefined();
    fs.writeFileSync(file, '');
    expect(await quiet(root)).toBeUndefined();
    fs.rmSync(file);
    expect(await quiet(root)).toBeUndefined();
  });

  it('reads the file when an entry is wrong', async () => {
    const root = scratch();
    await fill(root);
    fs.appendFileSync(mirrorOf(root), '  - name: [broken\n');
    await (await openStore(root, { settleMs: 0 })).close();
    expect(whole(root).findings.length).toBeGreaterThan(0);
    expect(await quiet(root)).toBeUndefined();
  });

  it('reads the file when the file shows more than the journal has', async () => {
    const root = scratch();
    const store = await openStore(root);
    await add(store, 'one');
    const journal = fs.readFileSync(`${storeDir(root)}/journal.jsonl`);
    await add(store, 'two');
    await store.close();
    fs.writeFileSync(`${storeDir(root)}/journal.jsonl`, journal);
    fs.rmSync(`${storeDir(root)}/snapshot.jsonl`, { force: true });
    fs.rmSync(`${storeDir(root)}/mark.json`); // it follows the flush of the journal, which never came
    expect(await quiet(root)).toBeUndefined();
  });
});
