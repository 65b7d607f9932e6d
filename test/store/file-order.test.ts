import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownOf } from '../../src/kinds/queue/format/record.ts';
import { execute } from '../../src/store/execute.ts';
import type { FileStore } from '../../src/store/store.ts';
import { add, mirrorOf, openStore, scratch } from '../support/scratch.ts';

const record = (name: string, more = ''): string =>
  `  - name: ${name}\n    status: pending\n    content: Do ${name}\n    worktree: true\n    created_at: "2026-01-01T08:00:00Z"\n    started_at: null\n    completed_at: null\n${more && `    ${more}\n`}`;
const names = ['hotel', 'alpha', 'mike', 'bravo', 'zulu'];

async function opened(text: string): Promise<{ root: string; store: FileStore }> {
  const root = scratch();
  fs.mkdirSync(`${root}/.takt`);
  fs.writeFileSync(mirrorOf(root), text);
  return { root, store: await openStore(root, { settleMs: 0 }) };
}

async function next(store: FileStore, max = 99): Promise<string[]> {
  const claims = await store.claim({ owner: 'me', max });
  return claims.map(({ task }) => ownOf(task).name);
}

/** As a person does it in an editor. */
function moveUp(root: string, name: string): void {
  const [head, ...records] = fs.readFileSync(mirrorOf(root), 'utf8').split(/^(?= {2}- )/m);
  const isIt = (text: string) => text.startsWith(`  - name: ${name}\n`);
  fs.writeFileSync(
    mirrorOf(root),
    [head, ...records.filter(isIt), ...records.filter((text) => !isIt(text))].join(''),
  );
}

describe('the order of the file', () => {
  it('is the order of the work, for records made in the same second', async () => {
    const { store } = await opened(`tasks:\n${names.map((name) => record(name)).join('')}`);
    expect(await next(store)).toEqual(names);
  });

  it('is kept by what docket adds, also while the file is behind', async () => {
    const root = scratch();
    const store = await openStore(root, { projectionLagMs: 60_000 });
    for (const name of names) await add(store, name);
    expect(await nextInPlace(store)).toEqual(names);
  });

  it('follows a record that is moved up, at any time', async () => {
    const { root, store } = await opened(`tasks:\n${names.map((name) => record(name)).join('')}`);
    expect(await next(store, 1)).toEqual(['hotel']);
    moveUp(root, 'bravo');
    expect(await next(store, 1)).toEqual(['bravo']);
    moveUp(root, 'zulu');
    expect(await next(store)).toEqual(['zulu', 'alpha', 'mike']);
  });

  it('comes after priority and dependencies', async () => {
    const { store } = await opened(
      `tasks:\n${record('a')}${record('b', 'needs: [d]')}${record('c', 'priority: 1')}${record('d')}`,
    );
    expect(await next(store, 2)).toEqual(['c', 'a']);
    expect(await next(store)).toEqual(['d']);
  });

  it('gives a task that is put back its place again', async () => {
    const { store } = await opened(`tasks:\n${record('a')}${record('b')}${record('c')}`);
    const [claim] = await store.claim({ owner: 'me', max: 1 });
    const id = claim?.task.id ?? '';
    await execute(
      store,
      { type: 'fail', id, by: 'me', failure: { error: 'no' } },
      { now: new Date().toISOString() },
    );
    await claim?.release();
    await execute(
      store,
      { type: 'requeue', id, by: 'ann', reason: 'again' },
      { now: new Date().toISOString() },
    );
    expect(await next(store)).toEqual(['a', 'b', 'c']);
  });

  it('is that of the last whole file while somebody saves', async () => {
    const { root, store } = await opened(`tasks:\n${names.map((name) => record(name)).join('')}`);
    await store.close();
    const saving = await openStore(root, { settleMs: 60_000 });
    moveUp(root, 'zulu');
    expect(await next(saving, 1)).toEqual(['hotel']);
    fs.utimesSync(mirrorOf(root), 1, 1);
    expect(await next(saving)).toEqual(['zulu', 'alpha', 'mike', 'bravo']);
  });
});

/** One at a time: there is one work tree. */
async function nextInPlace(store: FileStore): Promise<string[]> {
  const order: string[] = [];
  for (let [claim] = await store.claim({ owner: 'me', max: 1 }); claim;) {
    const { id } = claim.task;
    order.push(id);
    await execute(
      store,
      { type: 'settle', id, by: 'me', token: claim.token, verdict: { kind: 'pass' }, summary: 'ok' },
      { now: new Date().toISOString() },
    );
    await claim.release();
    [claim] = await store.claim({ owner: 'me', max: 1 });
  }
  return order;
}
