import { statuses, type Status } from '../task/status.ts';
import type { Brief } from './shelf.ts';

/** How many tasks there are, but for removed ones. */
export interface Tally {
  counts: Partial<Record<Status, number>>;
  /** Failed tasks that a person has archived: an overview leaves them out. */
  archived: number;
}

/** What a look at the whole store shows of tasks that are over, the latest first. */
export interface Overview extends Tally {
  failed: Brief[];
  ended: Brief[];
}

/** So many of each are shown: who wants more of them lists them. */
const most = { failed: 100, ended: 10, undelivered: 100 };

/** A checkpoint keeps so many more of each at hand: some of the latest may be taken up again before the next one. */
export const spare = 20;

/** `all`: every task; where `tally` is known, at least those that are shown. */
export function overviewOf(all: readonly Brief[], tally: Tally = tallyOf(all), more = 0): Overview {
  const there = all.filter(({ removed }) => !removed);
  const failed = newest(there.filter(({ status, archived }) => status === 'failed' && !archived));
  const over = newest(there.filter(({ status }) => status === 'done' || status === 'canceled'));
  const ended = over.slice(0, most.ended + more);
  // Work that did not get to where it was asked for needs a person, however old it is.
  const undelivered = over.slice(ended.length).filter((one) => one.undelivered);
  return {
    ...tally,
    failed: failed.slice(0, most.failed + more),
    ended: [...ended, ...undelivered.slice(0, most.undelivered)],
  };
}

function tallyOf(briefs: Iterable<Brief>): Tally {
  return adjusted({ counts: {}, archived: 0 }, briefs, 1);
}

/** The tally with these tasks added (1) or taken out (-1). */
export function adjusted({ counts, archived }: Tally, briefs: Iterable<Brief>, by: 1 | -1): Tally {
  const sums = { ...counts };
  let seen = archived;
  for (const brief of briefs) {
    if (brief.removed) continue;
    sums[brief.status] = (sums[brief.status] ?? 0) + by;
    if (brief.status === 'failed' && brief.archived) seen += by;
  }
  const inOrder = statuses.flatMap((status) => (sums[status] ? [[status, sums[status]]] : []));
  return { counts: Object.fromEntries(inOrder) as Tally['counts'], archived: seen };
}

function newest(known: readonly Brief[]): Brief[] {
  return known.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
}
