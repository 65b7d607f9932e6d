import { moneyCap } from '../engine/admission.ts';
import { DocketError } from '../errors.ts';
import { isOf, type DayCaps } from '../meter/admit.ts';
import type { Meter } from '../meter/meter.ts';
import type { Caps, Unit } from '../task/caps.ts';
import type { BlockReason } from '../task/schema.ts';
import { knownAgents } from './agents.ts';
import type { Config } from './config.ts';
import { dayCaps, meterFor } from './limits.ts';
import { knownProject } from './project-id.ts';
import type { Project } from './project.ts';
import { readConfig } from './read-config.ts';

/** Was it held by a cap that has room again: it was raised or taken away, or another day has begun? `own`: the task's caps. */
export type HasRoom = (reason: BlockReason, own: Caps | undefined) => boolean;

/** What decides whether a task that is blocked goes on. */
export interface Ways {
  meter: Meter;
  hasRoom: HasRoom;
}

type Place = Pick<Project, 'root' | 'env' | 'clock'>;

/** By the settings of the run that would go on with it: what has room here must not be held there. */
export function waysFor(where: Place, config: Config): Ways {
  const { budgets, userBudgets } = config;
  const meter = meterFor(where);
  const day = [...dayCaps(budgets, '', knownProject(where.root)), ...dayCaps(userBudgets, 'user.')];
  const { calls: _, ...most } = budgets?.attempt ?? {};
  const hasRoom: HasRoom = ({ cap }, own) => {
    if (!cap) return false;
    const { scope, unit, used, unpriced } = cap;
    if (unpriced) return isPriced(unpriced, config) || !isMoneyCapped(unpriced.provider, budgets, day, own);
    const ofDay = day.find((one) => one.scope === scope);
    if (ofDay) return meter.hasRoom({ ...ofDay, caps: justOf(ofDay.caps, unit) }, most);
    // Nothing is used for a task while it is blocked: what it had used then is what it has used now.
    return (capOf(scope, budgets, own)?.[unit] ?? Infinity) > used;
  };
  return { meter, hasRoom };
}

type Unpriced = NonNullable<NonNullable<BlockReason['cap']>['unpriced']>;

/** As `priceless` would say of the same call: what is let go here must not be held there for the same reason. */
function isPriced({ agent, model }: Unpriced, config: Config): boolean {
  const settings = knownAgents(config).get(agent);
  const now = model ?? settings?.model;
  if (config.budgets?.unknownPrice === 'allow' || settings?.free) return true;
  return now !== undefined && Object.hasOwn(config.prices, now);
}

function isMoneyCapped(
  provider: string,
  budgets: Config['budgets'],
  day: readonly DayCaps[],
  own: Caps | undefined,
): boolean {
  const ofDay = day.filter((one) => one.provider === undefined || isOf(provider, one.provider));
  return moneyCap(budgets ?? {}, ofDay, own) !== undefined;
}

/** Another cap of the same day may be used up too: that one holds it next, and says so. */
function justOf(caps: Caps, unit: Unit): Caps {
  const cap = caps[unit];
  return cap === undefined ? {} : { [unit]: cap };
}

function capOf(scope: string, budgets: Config['budgets'], own: Caps | undefined): Caps | undefined {
  if (scope === 'own' || scope === 'task') return { ...budgets?.task, ...own };
  return scope === 'attempt' || scope === 'step' || scope === 'run' ? budgets?.[scope] : undefined;
}

/** For who only looks, with the settings as they are now. Those are read only where a cap holds something. */
export async function roomNow(where: Place, reasons: Iterable<BlockReason | undefined>): Promise<HasRoom> {
  if (![...reasons].some((reason) => reason?.cap)) return () => false;
  try {
    return waysFor(where, await readConfig(where.root, where.env)).hasRoom;
  } catch (error) {
    if (error instanceof DocketError) return () => false; // who runs something tells what is wrong with the settings
    throw error;
  }
}
