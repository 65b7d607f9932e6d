import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { encodeLine } from '../../src/store/codec.ts';
import { DamagedSnapshot, openSnapshot, readSnapshot, writeSnapshot } from '../../src/store/file/snapshot.ts';
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

/** So many tasks that are over, each an hour after the one before it. */
function withHistory(count: number): Ledger {
  const ledger = filled();
  for (let n = 0; n < count; n += 1) {
    const at = new Date(Date.parse('2026-04-01T00:00:00.000Z') + n * 3_600_000).toISOString();
    const event = (type: string, data: object) =>
      ledger.apply({ v: 1, seq: ledger.seq + 1, at, taskId: `n${n}`, by: 'ann', type, data } as Event);
    event('task.created', { title: `number ${n}`, spec: { body: '' } });
    event('task.canceled', { reason: 'no' });
  }
  return ledger;
}

it('gives the same overview from the first part of the file, also after changes behind it', () => {
  const [file, ledger] = [path.join(scratch(), 's'), withHistory(40)];
  writeSnapshot(file, ledger, { ...position, seq: ledger.seq });
  const opened = openSnapshot(file)!;
  expect(opened.ledger.overview()).toEqual(ledger.overview());
  expect(ledger.overview().counts).toEqual({ queued: 1, running: 1, done: 1, canceled: 40 });
  expect(ledger.overview().ended.map(({ id }) => id)).toEqual([
    ...Array.from({ length: 10 }, (_, n) => `n${39 - n}`),
    'ends',
  ]);
  const at = '2026-05-01T00:00:00.000Z';
  for (const one of [ledger, opened.ledger])
    for (const [taskId, type] of [
      ['n39', 'task.requeued'],
      ['n3', 'task.requeued'],
      ['n38', 'task.removed'],
      ['waits', 'task.canceled'],
    ])
      one.apply({ v: 1, seq: one.seq + 1, at, taskId, by: 'ann', type, data: { reason: 'so' } } as Event);
  expect(opened.ledger.overview()).toEqual(ledger.overview());
  expect(opened.ledger.list()).toEqual(ledger.list()); // the rest is read when somebody asks for it
  opened.close?.();
});

it('says that the part which was left for later is not what was written', () => {
  const [file, ledger] = [path.join(scratch(), 's'), withHistory(40)];
  writeSnapshot(file, ledger, { ...position, seq: ledger.seq });
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('number 5"', 'number 6"'));
  expect(readSnapshot(file)).toBeUndefined();
  const opened = openSnapshot(file)!;
  expect(opened.ledger.overview().ended).toHaveLength(11);
  expect(() => opened.ledger.get('n5')).toThrow(DamagedSnapshot);
  opened.close?.();
});
