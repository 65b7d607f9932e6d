import { unprovedText } from '../../render/unmet.ts';
import type { KindName } from '../../task/kind-names.ts';
import { goOn } from '../tasks/next.ts';
import type { Row } from './row.ts';
import type { Sight } from './sight.ts';
import type { Item, View, Why } from './types.ts';
import { isLapsed, isRoomFor, whyNot, type Moment } from './why-not.ts';

type Sections = Pick<View, 'stuck' | 'needs' | 'running' | 'waiting' | 'ended' | 'more'>;
export type Seen = readonly [layout: KindName, sight: Sight];

/** A failure that is older is no news any more: it is counted. */
const newsMs = 7 * 86_400_000;
const mostEnded = 10;

/** Everything in its place at this moment. Which processes live was asked before (`isDead`). */
export function compose(
  seen: readonly Seen[],
  world: Pick<Moment, 'now' | 'parked' | 'hasRoom'>,
  isDead: (row: Row) => boolean,
): Sections {
  const more = { failed: 0, waiting: 0 };
  const found: Sections = { stuck: [], needs: [], running: [], waiting: [], ended: [], more };
  const tree = seen
    .flatMap(([, { rows }]) => rows)
    .find(({ inTree, status }) => inTree && status === 'running');
  for (const [layout, sight] of seen) {
    more.failed += sight.more.failed;
    more.waiting += sight.more.waiting;
    const moment: Moment = {
      ...world,
      atWork: sight.counts.running ?? 0,
      nameOf: namesIn(sight.rows),
      ...(tree && { tree: tree.name }),
    };
    for (const row of inTurn(sight.rows)) place(found, layout, row, moment, isDead(row));
  }
  return {
    ...found,
    stuck: found.stuck.toSorted(oldestFirst),
    needs: found.needs.toSorted(oldestFirst),
    running: found.running.toSorted(oldestFirst),
    ended: found.ended.toSorted((a, b) => oldestFirst(b, a)).slice(0, mostEnded),
  };
}

function place(found: Sections, layout: KindName, row: Row, moment: Moment, isDead: boolean): void {
  const { id, status, lease } = row;
  const needs = isRoomFor(row, moment) ? [] : (row.needs ?? []);
  if (status === 'failed' && Date.parse(row.since) < moment.now - newsMs) {
    found.more.failed += 1;
    return;
  }
  if (status === 'failed' && needs.length === 0) {
    found.ended.push(itemOf(layout, row, { kind: 'rejected', text: row.title }));
    return;
  }
  for (const { key, kind, text, since, next } of needs) {
    const item = itemOf(layout, row, { kind, text });
    found.needs.push({ ...item, key: `${layout}:${id}:${key}`, since, ...(next && { next }) });
  }
  if (status === 'done' || status === 'canceled') {
    const kind = needs.length > 0 ? 'undelivered' : status;
    found.ended.push(itemOf(layout, row, { kind, text: row.unproved ? unprovedText : row.title }));
    return;
  }
  const isByProcess = lease?.kind === 'process' && !isDead;
  if ((status === 'running' && !isLapsed(row, moment.now)) || (status === 'review' && isByProcess))
    found.running.push(...atWork(layout, row));
  else if (needs.length === 0) {
    const { isStuck, ...why } = whyNot(layout, row, moment);
    const next = isRoomFor(row, moment) ? { next: goOn(layout) } : {};
    found[isStuck ? 'stuck' : 'waiting'].push({ ...itemOf(layout, row, why), ...next });
  }
}

/** One for each agent that is at work; a person, or docket itself between two agents, is one too. */
function atWork(layout: KindName, row: Row): Item[] {
  const item = itemOf(layout, row, { kind: 'running', text: row.title });
  return (row.steps ?? []).length === 0
    ? [item]
    : (row.steps ?? []).map(({ step, agent, n, since }) => ({ ...item, step, agent, attempt: n, since }));
}

function itemOf(layout: KindName, row: Row, why: Why): Item {
  const { id, name, title, status, since, next, owner, used, unproved } = row;
  return {
    layout,
    id,
    name,
    title,
    status,
    since,
    why,
    ...(next && { next }),
    ...(owner !== undefined && { owner }),
    ...(used && { used }),
    ...(unproved && { unproved }),
  };
}

function inTurn(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (a.turn ?? 0) - (b.turn ?? 0));
}

function namesIn(rows: readonly Row[]): Moment['nameOf'] {
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

function oldestFirst(a: Item, b: Item): number {
  return Date.parse(a.since) - Date.parse(b.since);
}
