import { expect, it } from 'vitest';
import { ownIdentity } from '../../src/io/identity.ts';
import { startNext } from '../../src/store/claim.ts';
import { Ledger } from '../../src/store/ledger.ts';
import { decide } from '../../src/task/decide.ts';
import { pick } from '../../src/task/pick.ts';

const now = '2026-03-01T00:00:00.000Z';
const lease = { kind: 'process' as const, ...ownIdentity() };

function ledgerWith(...ids: string[]): Ledger {
  const ledger = new Ledger();
  for (const id of ids) {
    const spec = { body: id, workspace: { kind: 'clone' as const } };
    const decision = decide(ledger, { type: 'create', id, by: 'ann', title: id, spec }, now);
    if (decision.ok) ledger.commit({ events: decision.events, expect: {} }, now);
  }
  return ledger;
}

/** The locks of runs, as a process has them. */
class Locks {
  readonly taken = new Set<string>();
  readonly others: ReadonlySet<string>;
  constructor(...others: string[]) {
    this.others = new Set(others);
  }
  take(id: string): boolean {
    if (this.others.has(id)) return false;
    this.taken.add(id);
    return true;
  }
  release(id: string): void {
    this.taken.delete(id);
  }
}

it('a started task keeps its lock', () => {
  const [ledger, locks] = [ledgerWith('a', 'b'), new Locks()];
  const commit = (tx: Parameters<Ledger['commit']>[0]) => ledger.commit(tx, now);
  const started = startNext(ledger, { owner: 'me', max: 1 }, lease, now, locks, commit);
  expect(started.map(({ id, status }) => [id, status])).toEqual([['a', 'running']]);
  expect([...locks.taken]).toEqual(['a']);
});

it('a task whose start is not committed gives its lock back', () => {
  const [ledger, locks] = [ledgerWith('a'), new Locks()];
  const lost = () => ({ kind: 'conflict', on: 'a' }) as never; // somebody else was quicker
  expect(startNext(ledger, { owner: 'me', max: 1 }, lease, now, locks, lost)).toEqual([]);
  expect([...locks.taken]).toEqual([]);
});

it('a task that somebody else holds is left to them', () => {
  const [ledger, locks] = [ledgerWith('a', 'b'), new Locks('a')];
  const commit = (tx: Parameters<Ledger['commit']>[0]) => ledger.commit(tx, now);
  const started = startNext(ledger, { owner: 'me', max: 2 }, lease, now, locks, commit);
  expect(started.map(({ id }) => id)).toEqual(['b']);
  expect(pick(ledger, [...ledger.active()], { now }, 9).map(({ id }) => id)).toEqual(['a']);
});
