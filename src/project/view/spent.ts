import path from 'node:path';
import type { ProcessIdentity } from '../../io/identity.ts';
import { areSettled, stampsOf, stampText } from '../../io/stamp.ts';
import { dayOf, type Parked } from '../../meter/book.ts';
import { meterFolder } from '../../settings/meter-folder.ts';
import type { Project } from '../../settings/project.ts';
import type { Cost, ParkedProvider, ViewFinding } from './types.ts';

export interface SpentCache {
  /** '': it must be read again. */
  stamps: string;
  all: Cost;
  /** The latest day with a call. */
  day: { day: string; cost: Cost };
  /** Calls that nobody has settled: who watches over them, and since when. */
  open: { by: ProcessIdentity; at: string }[];
  parked: ({ provider: string; probes: ProcessIdentity[] } & Parked)[];
}

export interface SpentLook {
  /** Absent: nobody can tell. */
  cost?: { today: Cost; all: Cost };
  parked: ParkedProvider[];
  findings: ViewFinding[];
  /** Absent: what was remembered still holds. */
  fresh?: SpentCache;
}

export const noCost: Cost = { calls: 0, tokens: 0, money: 0, untold: 0, unpriced: 0, open: 0, lost: 0 };

/**
 * What calls for this workspace have cost, and who is left alone. Stamped are the page that is written and its folder, which
 * changes whenever a page is put away: those are never written again.
 */
export async function lookAtSpent(where: Project, known: SpentCache | undefined): Promise<SpentLook> {
  const now = Date.now();
  const dir = meterFolder(where);
  const stamps = stampsOf([path.join(dir, 'book.jsonl'), dir]);
  // The time zone says what a day is.
  const text = `${stampText(stamps)} ${new Date(now).getTimezoneOffset()} ${dir}`;
  if (known?.stamps === text) return shown(known, where);
  const [{ readSpent }, { knownProject }] = await Promise.all([
    import('./read-spent.ts'),
    import('../../settings/project-id.ts'),
  ]);
  const { spent, findings } = readSpent(knownProject(where.root), dir);
  if (!spent) return { parked: [], findings };
  const isSure = findings.length === 0 && areSettled(stamps, now);
  const fresh = { ...spent, stamps: isSure ? text : '' };
  return { ...(await shown(fresh, where)), findings, fresh };
}

async function shown({ all, day, open, parked }: SpentCache, { clock }: Project): Promise<SpentLook> {
  const alive = await livingOf(open.map(({ by }) => by));
  const gone = open.filter(({ by }) => !alive.has(by));
  const goneThen = gone.filter(({ at }) => dayOf(at) === day.day);
  const today = day.day === dayOf(clock.now()) ? withLost(day.cost, goneThen.length) : noCost;
  const providers: ParkedProvider[] = [];
  for (const { provider, probes, kind, reason, since, until, told } of parked)
    providers.push({ provider, kind, reason, since, until, told, tried: (await livingOf(probes)).size > 0 });
  return { cost: { today, all: withLost(all, gone.length) }, parked: providers, findings: [] };
}

/** Nothing is at work that nobody watches over. */
function withLost(cost: Cost, more: number): Cost {
  return { ...cost, open: cost.open - more, lost: cost.lost + more };
}

async function livingOf(who: readonly ProcessIdentity[]): Promise<ReadonlySet<ProcessIdentity>> {
  if (who.length === 0) return new Set();
  const { liveness } = await import('../../io/identity.ts');
  return new Set(who.filter((one) => liveness(one) !== 'dead'));
}
