import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/project/view/compose.ts';
import { rowOf, type Row } from '../../../src/project/view/row.ts';
import type { ParkedProvider } from '../../../src/project/view/types.ts';
import { whyNot, type Moment } from '../../../src/project/view/why-not.ts';
import type { KindName } from '../../../src/task/kind-names.ts';
import type { Task } from '../../../src/task/schema.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const [before, later] = ['2026-03-01T11:00:00Z', '2026-03-01T13:00:00Z'];
const moment: Moment = { now, parked: [], atWork: 0, nameOf: (id) => `n-${id}` };
const row = (fields: Partial<Row>): Row => ({
  id: 't1',
  name: 'one',
  title: 'One',
  status: 'queued',
  since: before,
  ...fields,
});
const fresh = {
  id: 't1',
  rev: 1,
  title: 'One',
  status: 'queued',
  spec: { body: 'One' },
  priority: 0,
  needs: [],
  createdAt: before,
  createdBy: 'ann',
  updatedAt: before,
  queuedAt: before,
  extras: {},
};
const parked = (fields: Partial<ParkedProvider>): ParkedProvider => ({
  provider: 'claude',
  kind: 'limit',
  reason: 'too many',
  since: before,
  until: later,
  told: true,
  tried: false,
  ...fields,
});
const limit = { kind: 'limit', text: 'at its limit', who: 'docket', provider: 'claude' } as const;

describe('why a task is not at work', () => {
  it.each<[string, Row, Partial<Moment>, object]>([
    ['nothing runs', row({}), {}, { kind: 'slot', text: 'nothing is running. Start: docket run' }],
    ['others run', row({}), { atWork: 2 }, { kind: 'slot', text: 'waits for its turn: 2 at work' }],
    [
      'the tree is taken',
      row({ inTree: true }),
      { tree: 'two' },
      { kind: 'lock', text: 'two has the work tree' },
    ],
    [
      'it needs another',
      row({ unmet: [{ on: 'a', status: 'running' }] }),
      {},
      { kind: 'dependency', text: 'waits for n-a (running)' },
    ],
    [
      'it needs what will never be',
      row({
        unmet: [
          { on: 'a', status: 'running' },
          { on: 'b', status: 'missing', lost: { on: 'b', status: 'missing' } },
        ],
      }),
      {},
      {
        kind: 'dependency',
        isStuck: true,
        on: ['b'],
        text: 'waits for n-b (missing), which will never be done',
      },
    ],
    [
      'what it needs waits in vain',
      row({ unmet: [{ on: 'a', status: 'queued', lost: { on: 'c', name: 'last', status: 'failed' } }] }),
      {},
      {
        kind: 'dependency',
        isStuck: true,
        who: 'a person',
        text: 'waits for n-a (queued), behind last (failed), which nothing takes up again by itself',
      },
    ],
    [
      'somebody has claimed it',
      row({ owner: 'ann', lease: { kind: 'term', until: later } }),
      {},
      { kind: 'held', text: 'claimed by ann', who: 'ann', until: later },
    ],
    [
      'a claim that is over',
      row({ owner: 'ann', lease: { kind: 'term', until: before } }),
      {},
      { kind: 'slot' },
    ],
    [
      'its docket died',
      row({ steps: [{ step: 'plan', agent: 'codex', n: 1, since: before }] }),
      {},
      { kind: 'crash', isStuck: true, text: expect.stringContaining('codex was at plan') },
    ],
    [
      'a limit',
      row({ status: 'blocked', reason: limit }),
      { parked: [parked({})] },
      { kind: 'limit', until: later, text: 'at its limit' },
    ],
    [
      'a limit that somebody tries',
      row({ status: 'blocked', reason: limit }),
      { parked: [parked({ tried: true })] },
      { kind: 'limit', text: 'at its limit (somebody tries claude now)' },
    ],
    [
      'a limit that is over',
      row({ status: 'blocked', reason: limit }),
      {},
      { kind: 'limit', text: expect.stringContaining('that is over') },
    ],
    [
      'a claim of somebody who went',
      row({ status: 'running', owner: 'ann', lease: { kind: 'term', until: before } }),
      {},
      { kind: 'lapsed', isStuck: true },
    ],
    ['a review', row({ status: 'review', owner: 'ann' }), {}, { kind: 'review', who: 'a reviewer' }],
  ])('%s', (_, task, world, expected) => {
    expect(whyNot('queue', task, { ...moment, ...world })).toMatchObject(expected);
  });

  it.each<[KindName, object, string]>([
    ['board', {}, 'nobody has claimed it; how to give it to somebody: docket explain it'],
    ['task', {}, 'nothing is ordered for it yet'],
    ['task', { attempts: {} }, 'nothing is running. Start: docket run --all'],
    ['packet', {}, 'nothing is running. Start: docket run --all'],
    ['queue', {}, 'nothing is running. Start: docket run'],
  ])('differs by kind where nobody runs it: %s %j', (kind, fields, text) => {
    const task = { ...fresh, ...fields } as Task;
    expect(whyNot(kind, rowOf(kind, 'it', task, []), moment).text).toBe(text);
  });
});

describe('a task in the view', () => {
  const seen = (...rows: Row[]) =>
    compose(
      [['queue', { tasks: rows.length, counts: {}, rows, more: { failed: 0, waiting: 0 } }]],
      { now, parked: [] },
      () => false,
    );
  const lease = { kind: 'process', host: 'h', pid: 1, startTime: '1', bootId: 'b' } as const;

  it('is a row for each of its agents at work, and asks for a person beside that', () => {
    const steps = ['a', 'b'].map((step) => ({ step, agent: 'codex', n: 1, since: before }));
    const needs = [{ key: 'gate:g:1', kind: 'gate', text: 'asks: which?', since: before }];
    const found = seen(row({ status: 'running', lease, steps, needs }));
    expect(found.running.map(({ step }) => step)).toEqual(['a', 'b']);
    expect(found.needs).toMatchObject([{ key: 'queue:t1:gate:g:1', why: { text: 'asks: which?' } }]);
    expect([found.waiting, found.stuck]).toEqual([[], []]);
  });

  it('that was handed in by a process is at work while that lives, and waits for a reviewer after', () => {
    const rows = [row({ status: 'review', lease })];
    expect(seen(...rows).running).toHaveLength(1);
    const dead = compose(
      [['queue', { tasks: 1, counts: {}, rows, more: { failed: 0, waiting: 0 } }]],
      { now, parked: [] },
      () => true,
    );
    expect([dead.running, dead.waiting.map(({ why }) => why.kind)]).toEqual([[], ['review']]);
  });

  it('comes in its turn, and the oldest first where it needs somebody', () => {
    const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
    const turns = seen(row({ id: 'b', turn: 2 }), row({ id: 'a', turn: 1 }));
    expect(ids(turns.waiting)).toEqual(['a', 'b']);
    const need = (since: string) => [{ key: 'k', kind: 'scope', text: 'x', since }];
    const asks = seen(
      row({ id: 'new', status: 'blocked', needs: need(later) }),
      row({ id: 'old', status: 'blocked', needs: need(before) }),
    );
    expect(ids(asks.needs)).toEqual(['old', 'new']);
  });
});
