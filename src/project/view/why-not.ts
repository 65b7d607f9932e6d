import { interruptedText, isLost, needsText } from '../../render/unmet.ts';
import type { HasRoom } from '../../settings/room.ts';
import { nobody } from '../../task/allowed.ts';
import { roomText } from '../../task/caps.ts';
import type { KindName } from '../../task/kind-names.ts';
import { nextOf } from '../tasks/next.ts';
import type { Row } from './row.ts';
import type { ParkedProvider, Why } from './types.ts';

/** What decides, beside the task itself, why it is not at work. */
export interface Moment {
  now: number;
  parked: readonly ParkedProvider[];
  /** How many of the same layout are at work. */
  atWork: number;
  nameOf: (id: string) => string;
  /** Who has the people's own tree. */
  tree?: string;
  /** Has a cap room again that held a task? Absent: none holds one. */
  hasRoom?: HasRoom;
}

/** Stuck: it will be so until somebody does something about it, and nobody is asked to. */
type WhyNot = Why & { isStuck?: true };

export function whyNot(layout: KindName, row: Row, moment: Moment): WhyNot {
  switch (row.status) {
    case 'queued':
      return whyQueued(layout, row, moment);
    case 'blocked':
      return whyBlocked(row, moment);
    case 'running': {
      const until = row.lease?.kind === 'term' ? row.lease.until : '';
      const text = `the claim of ${row.owner ?? 'nobody'} has ended, and nothing was reported since`;
      return { kind: 'lapsed', text, until, isStuck: true };
    }
    default: {
      const text = `${row.owner ?? 'somebody'} has handed it in, and somebody else has to look at it`;
      return { kind: row.status, text, who: 'a reviewer' };
    }
  }
}

/** Nobody who lives holds it: the time is over, or a file said that somebody works on it and not who. */
export function isLapsed({ lease, owner }: Row, now: number): boolean {
  return lease?.kind === 'term' && (owner === nobody || Date.parse(lease.until) <= now);
}

function whyQueued(layout: KindName, row: Row, { now, atWork, nameOf, tree }: Moment): WhyNot {
  const { unmet = [], steps: [left] = [], lease, owner = 'somebody' } = row;
  if (unmet.length > 0) {
    const named = unmet.map((need) => ({ ...need, name: need.name ?? nameOf(need.on) }));
    const why = { kind: 'dependency', text: `waits for ${needsText(named)}` };
    if (!unmet.some(isLost)) return why;
    const on = unmet.flatMap((need) => (need.lost?.on === need.on ? [need.on] : []));
    return { ...why, who: 'a person', ...(on.length > 0 && { on }), isStuck: true };
  }
  if (left) return { kind: 'crash', text: interruptedText(left), isStuck: true };
  if (lease?.kind === 'term' && !isLapsed(row, now))
    return { kind: 'held', text: `claimed by ${owner}`, who: owner, until: lease.until };
  if (row.inTree && tree !== undefined) return { kind: 'lock', text: `${tree} has the work tree` };
  if (row.idle) return row.idle;
  const start = `nothing is running. Start: docket ${nextOf(layout).run.join(' ')}`;
  return { kind: 'slot', text: atWork > 0 ? `waits for its turn: ${atWork} at work` : start };
}

/** What a cap held goes on, as somebody has raised it or a new day has begun. */
export function isRoomFor({ reason, budget }: Row, { hasRoom }: Moment): boolean {
  return reason !== undefined && (hasRoom?.(reason, budget) ?? false);
}

/** As `waitOf` decides for a run. */
function whyBlocked(row: Row, moment: Moment): WhyNot {
  const { reason } = row;
  const { now, parked } = moment;
  const { kind = 'gate', text = '', who = 'docket', provider, resumesAt } = reason ?? {};
  if (reason?.cap && isRoomFor(row, moment))
    return { kind, text: `${roomText(reason.cap)}: the next run goes on with it`, who: 'docket' };
  const state = parked.find((one) => one.provider === provider);
  if (state?.tried) return { kind, text: `${text} (somebody tries ${state.provider} now)`, who };
  const until = state?.until ?? (provider === undefined ? resumesAt : undefined);
  const isOver = until === undefined ? provider !== undefined : Date.parse(until) <= now;
  if (isOver) return { kind, text: `${text} (that is over: the next run goes on with it)`, who };
  return { kind, text, who, ...(until !== undefined && { until }) };
}
