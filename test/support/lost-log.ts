import fs from 'node:fs';
import path from 'node:path';
import { boardLayout } from '../../src/kinds/board/format/layout.ts';
import type { Layout } from '../../src/layout/layout.ts';
import { execute } from '../../src/store/execute.ts';
import { openFileStore } from '../../src/store/file/file-store.ts';
import type { FileStore } from '../../src/store/store.ts';
import { claimed, happened } from './queue-history.ts';
import { add, journalOf, openStore, scratch } from './scratch.ts';

/** `a` and `b` are done with evidence, `c` waits. Returns the journal as it was before anything ran. */
export async function workedQueue(): Promise<{ root: string; old: Buffer }> {
  const root = scratch();
  const store = await openStore(root);
  for (const name of ['a', 'b', 'c']) await add(store, name);
  const old = fs.readFileSync(journalOf(root));
  for (const name of ['a', 'b']) {
    const claim = await claimed(store, name);
    const verdict = { kind: 'pass' as const, evidence: ['ev-1'] };
    await happened(store, claim, { type: 'settle', verdict, summary: 'ok' });
    await claim.release();
  }
  await store.close();
  return { root, old };
}

export const boardDir = (root: string): string => path.join(root, '.docket', 'board');
export const logOf = (root: string): string => path.join(root, 'state', 'tasks.jsonl');
export const openBoard = (root: string): Promise<FileStore> => openLayout(root, boardDir(root), boardLayout);

export function openLayout(root: string, dir: string, layout: Layout): Promise<FileStore> {
  return openFileStore({ root, dir, layout, projectionLagMs: 0, lockWaitMs: 5000 });
}

export async function create(store: FileStore, id: string): Promise<void> {
  const done = await execute(
    store,
    { type: 'create', id, by: 'ann', title: `Title of ${id}`, spec: { body: '' } },
    { now: new Date().toISOString() },
  );
  if (!done.ok) throw new Error(done.refusal.message);
}

export async function board(): Promise<string> {
  const root = scratch();
  const store = await openBoard(root);
  for (const id of ['T-001', 'T-002', 'T-003', 'T-004']) await create(store, id);
  await store.close();
  return root;
}

/** What it throws; undefined: nothing. */
export const refused = (run: () => unknown): unknown => {
  try {
    return run() && undefined;
  } catch (error) {
    return error;
  }
};
