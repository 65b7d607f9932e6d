import { expect, it } from 'vitest';
import { requeueAfterLimits } from '../../src/kinds/requeue.ts';
import type { Parked } from '../../src/meter/book.ts';
import type { Meter } from '../../src/meter/meter.ts';
import type { Ways } from '../../src/settings/room.ts';
import { execute } from '../../src/store/execute.ts';
import { memoryStore } from '../../src/store/memory/memory-store.ts';
import type { BlockReason } from '../../src/task/schema.ts';
import { add } from '../support/scratch.ts';

const clock = { now: () => Date.parse('2026-03-01T12:00:00.000Z') };
const past = '2026-03-01T11:00:00.000Z';
const later = '2026-03-01T13:00:00.000Z';
const limit = (provider: string): BlockReason => ({
  kind: 'limit',
  text: 'at its limit',
  who: 'docket',
  provider,
  resumesAt: past,
});

const parked = (until: string): Parked => ({
  since: past,
  until,
  told: true,
  kind: 'limit',
  reason: 'r',
  source: 's',
  strikes: 1,
});

/** What the account book knows of the providers. */
function ways(known: Record<string, { parked: Parked; tried: boolean }>, room = false): Ways {
  return { meter: { parked: (one: string) => known[one] } as Meter, hasRoom: () => room };
}

async function requeued(reasons: Record<string, BlockReason>, having: Ways): Promise<string[]> {
  const store = memoryStore(clock);
  for (const [id, reason] of Object.entries(reasons)) {
    await add(store, id);
    await execute(store, { type: 'block', id, by: 'docket', reason }, { now: past });
  }
  await requeueAfterLimits(store, clock, having);
  return (await store.list({ status: ['queued'] })).map(({ id }) => id);
}

const three = { a: limit('p'), b: limit('p'), c: limit('q') };
const budget: BlockReason = {
  kind: 'budget',
  text: 'used up',
  who: 'a person',
  cap: { scope: 'task', unit: 'calls', used: 2 },
};

it.each<[string, string[], Record<string, BlockReason>, Ways]>([
  ['all, when no provider is rate limited any more', ['a', 'b', 'c'], three, ways({})],
  [
    'one for each provider whose limit should be over: it finds out for the others',
    ['a', 'c'],
    three,
    ways({ p: { parked: parked(past), tried: false }, q: { parked: parked(past), tried: false } }),
  ],
  ['none while another task is trying', ['c'], three, ways({ p: { parked: parked(past), tried: true } })],
  ['none before its time', ['c'], three, ways({ p: { parked: parked(later), tried: false } })],
  ['a capped one when there is room again', ['a'], { a: budget }, ways({}, true)],
  ['no capped one without room', [], { a: budget }, ways({})],
  ['nothing that waits for a person', [], { a: { kind: 'gate', text: '?', who: 'a person' } }, ways({})],
])('requeues %s', async (_what, expected, reasons, having) => {
  expect(await requeued(reasons, having)).toEqual(expected);
});
