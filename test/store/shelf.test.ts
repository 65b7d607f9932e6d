import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { encodeLine } from '../../src/store/codec.ts';
import { readSnapshot, writeSnapshot } from '../../src/store/file/snapshot.ts';
import { Ledger } from '../../src/store/ledger.ts';
import type { Event, Task } from '../../src/task/schema.ts';
import { scratch } from '../support/scratch.ts';

const position = { base: 0, seq: 0, offset: 0 };
const lease = { kind: 'term' as const, until: '2999-01-01T00:00:00Z' };

/** One that waits, one that somebody works on, one that is done, one removed; with bytes that are no letters. */
function filled(): Ledger {
  const ledger = new Ledger();
  const at = '2026-03-01T00:00:00.000Z';
  let seq = 0;
  const apply = (taskId: string, type: string, data: object): void => {
    seq += 1;
    ledger.apply({ v: 1, seq, at, taskId, by: 'ann', type, data } as Event);
  };
  for (const id of ['waits', 'runs', 'ends', 'goes'])
    apply(id, 'task.created', { title: `${id} {“任务”}`, spec: { body: '' } });
  for (const id of ['runs', 'ends']) apply(id, 'task.started', { owner: 'bob', lease });
  apply('ends', 'task.done', { summary: 's', verdict: { kind: 'pass' } });
  apply('ends', 'task.edited', {
    set: { delivery: { state: 'failed', cause: 'push', reason: 'no remote' } },
  });
  apply('goes', 'task.canceled', { reason: 'no' });
  apply('goes', 'task.removed', { reason: 'no' });
  return ledger;
}

const same = (one: Ledger | undefined, other: Ledger): void => {
  expect(one?.list({ removed: true })).toEqual(other.list({ removed: true }));
  expect([...(one?.active() ?? [])].map(({ id }) => id).toSorted()).toEqual(['runs', 'waits']);
  expect([...(one?.held() ?? [])].map(({ id }) => id)).toEqual(['runs']);
};

it('gives a ledger back as it was, also when it is written again before anybody has looked at it', () => {
  const [file, ledger] = [path.join(scratch(), 's'), filled()];
  writeSnapshot(file, ledger, position);
  same(readSnapshot(file)?.ledger, ledger);
  const briefs = (one: Ledger) => [...one.briefs()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(briefs(readSnapshot(file)!.ledger)).toEqual(briefs(ledger));
  expect(briefs(ledger).map(({ id, status, undelivered }) => [id, status, undelivered])).toEqual([
    ['ends', 'done', true],
    ['goes', 'canceled', false],
    ['runs', 'running', false],
    ['waits', 'queued', false],
  ]);
  const text = fs.readFileSync(file, 'utf8');
  writeSnapshot(file, readSnapshot(file)!.ledger, position);
  expect(fs.readFileSync(file, 'utf8')).toBe(text);
});

it('lists the same whether it looks or not, and after a change', () => {
  const [file, ledger] = [path.join(scratch(), 's'), filled()];
  writeSnapshot(file, ledger, position);
  const read = (): Ledger => readSnapshot(file)!.ledger;
  expect(
    read()
      .listTexts()
      .map((text) => JSON.parse(text) as Task),
  ).toEqual(ledger.list());
  expect(read().list({ status: ['done'] })).toEqual(ledger.list({ status: ['done'] }));
  const changed = read();
  const tx = {
    events: [{ type: 'task.canceled' as const, taskId: 'waits', by: 'ann', data: { reason: 'no' } }],
    expect: {},
  };
  expect(changed.commit(tx, '2026-03-02T00:00:00.000Z').kind).toBe('committed');
  expect([...changed.active()].map(({ id }) => id)).toEqual(['runs']);
  expect(changed.list({ status: ['queued'] })).toEqual([]);
});

it('reads what an older docket wrote', () => {
  const [file, ledger] = [path.join(scratch(), 's'), filled()];
  const tasks = ['waits', 'runs', 'ends', 'goes'].map((id) => JSON.stringify(ledger.get(id)));
  const body = Buffer.from(tasks.join('\n'));
  const header = { docket: 'snapshot', v: 1, ...position, active: 2, keys: [['k', 3]], body: crc32(body) };
  fs.writeFileSync(file, Buffer.concat([Buffer.from(encodeLine(header)), body]));
  same(readSnapshot(file)?.ledger, ledger);
  expect(readSnapshot(file)?.ledger.keys()).toEqual([['k', 3]]);
});
