import { DocketError } from '../../errors.ts';
import { ignoreOwn, makeOwnFolder } from '../../io/own-folder.ts';
import { toldOn, usedOn, type DayCaps } from '../../meter/admit.ts';
import { callsIn, isWatched } from '../../meter/book-file.ts';
import { dayOf, isFor, parkedNow, type Call, type Here, type Parked } from '../../meter/book.ts';
import type { Config } from '../../settings/config.ts';
import { dayCaps, meterFor } from '../../settings/limits.ts';
import { meterFolder } from '../../settings/meter-folder.ts';
import { knownProject } from '../../settings/project-id.ts';
import type { Project } from '../../settings/project.ts';
import { readConfig, projectConfig, userConfig } from '../../settings/read-config.ts';
import { units, type Unit } from '../../task/caps.ts';
import type { Used } from '../../task/used-schema.ts';
import { nothingUsed, plus } from '../../task/used.ts';

type CostKey = 'task' | 'agent' | 'day' | 'provider';

/** What calls of agents have cost, what they may cost, and who is at a limit. */
export interface Spending {
  /** `everywhere`: in all projects of the user. `since`: a day. */
  cost(query: { by: CostKey; everywhere: boolean; since?: string }): Promise<CostRow[]>;
  /** The caps that hold here, and what is used of those of a day. */
  budgets(): Promise<BudgetRow[]>;
  /** `key`: `day.money`, `providers.claude.calls`. Null takes the cap away. */
  setBudget(key: string, value: number | null, where: 'project' | 'user'): Promise<{ file: string }>;
  limits(): ({ provider: string; tried: boolean } & Parked)[];
  /** A person knows that it can be asked again. Returns those of that name that were left alone. */
  openLimit(provider: string): Promise<string[]>;
}

export interface CostRow {
  key: string;
  /** What people call a task of this queue. */
  name?: string;
  used: Used;
  /** Calls that are at work. */
  open: number;
  /** Calls of which nobody knows what they used, because their docket died. */
  lost: number;
}

export interface BudgetRow {
  key: string;
  unit: Unit;
  cap: number;
  from: 'project' | 'user';
  /** Of caps of a day. */
  used?: number;
  /** Calls of that day of which nobody knows how much of it they used. Absent: none. */
  unknown?: number;
  /** So much of what is used is not known, but assumed for calls that told nothing. Absent: none. */
  assumed?: number;
}

export function spending(where: Project): Spending {
  const { root, env, clock } = where;
  const meter = meterFor(where);
  return {
    async cost({ by, everywhere, since }) {
      const here = knownProject(root);
      const calls = toldCalls(where).filter(
        (call) => (everywhere || isFor(here, call)) && (since === undefined || dayOf(call.at) >= since),
      );
      const groups = new Map<string, Call[]>();
      for (const call of calls) groups.set(keyOf(call, by), [...(groups.get(keyOf(call, by)) ?? []), call]);
      const rows = [...groups].map(([key, group]) => rowOf(key, group)).toSorted(byKey(by));
      return by === 'task' ? named(rows, where) : rows;
    },
    async budgets() {
      const config = await readConfig(root, env);
      return budgetRows(config, knownProject(root), Object.values(meter.book().calls), dayOf(clock.now()));
    },
    async setBudget(key, value, scope) {
      const file = scope === 'project' ? projectConfig(root) : userConfig(env);
      if (file === undefined) throw homeless();
      await (await import('./set-cap.ts')).setCap(file, key, value);
      if (scope === 'project') ignoreOwn(makeOwnFolder(root, '.docket'));
      return { file };
    },
    limits() {
      const book = meter.book();
      return Object.keys(book.providers).flatMap((provider) => {
        const state = parkedNow(book, provider) && meter.parked(provider);
        return state ? [{ provider, tried: state.tried, ...state.parked }] : [];
      });
    },
    openLimit: (provider) => meter.open(provider),
  };
}

/** A task that is gone, or of another layout or project, is called by its id. */
async function named(rows: readonly CostRow[], where: Project): Promise<CostRow[]> {
  const [{ TaskLookup }, { callName }] = await Promise.all([
    import('../ps/tasks.ts'),
    import('../../kinds/queue/format/record.ts'),
  ]);
  const tasks = new TaskLookup(where);
  const one = async (row: CostRow): Promise<CostRow> => {
    const found = await tasks.find('queue', row.key);
    return 'task' in found && found.task ? { ...row, name: callName(found.task) } : row;
  };
  return Promise.all(rows.map(one));
}

function toldCalls(where: Project): Call[] {
  return callsIn(meterFolder(where), (file, line) =>
    where.warn(`${file}:${line}: this line of the account book cannot be read, and is not counted`),
  );
}

function keyOf({ task, agent, provider, at }: Call, by: CostKey): string {
  return { task, agent, provider, day: dayOf(at) }[by];
}

function rowOf(key: string, calls: readonly Call[]): CostRow {
  const used = calls.reduce((sum, call) => (call.used ? plus(sum, call.used) : sum), nothingUsed);
  const untold = calls.filter((call) => !call.used);
  const lost = untold.filter((call) => call.lost || !isWatched(call)).length;
  return { key, used, open: untold.length - lost, lost };
}

function byKey(by: CostKey): (a: CostRow, b: CostRow) => number {
  const name = (a: CostRow, b: CostRow) => (a.key < b.key ? -1 : 1);
  return by === 'day'
    ? name
    : (a, b) => b.used.money - a.used.money || b.used.tokens - a.used.tokens || name(a, b);
}

function budgetRows(config: Config, here: Here, calls: readonly Call[], day: string): BudgetRow[] {
  const { day: _day, providers: _providers, unknownPrice: _price, ...own } = config.budgets ?? {};
  const rows = Object.entries(own).flatMap(([scope, caps]) =>
    units.flatMap((unit): BudgetRow[] => {
      const cap = caps?.[unit];
      return cap === undefined ? [] : [{ key: scope, unit, cap, from: 'project' }];
    }),
  );
  const ofDay = (caps: DayCaps[], from: BudgetRow['from']) =>
    caps.flatMap((one) => {
      const used = usedOn(one, calls, day);
      const known = toldOn(one, calls, day);
      return units.flatMap((unit): BudgetRow[] => {
        const cap = one.caps[unit];
        const key = one.scope.replace(/^user\./, '');
        if (cap === undefined) return [];
        const unknown = { calls: 0, tokens: used.untold, money: used.unpriced, seconds: 0 }[unit];
        const assumed = used[unit] - known[unit];
        const unsure = { ...(unknown && { unknown }), ...(assumed > 0 && { assumed }) };
        return [{ key, unit, cap, from, used: used[unit], ...unsure }];
      });
    });
  return [
    ...rows,
    ...ofDay(dayCaps(config.budgets, '', here), 'project'),
    ...ofDay(dayCaps(config.userBudgets, 'user.'), 'user'),
  ];
}

function homeless(): DocketError {
  return new DocketError(
    'NOT_FOUND',
    'there is no home folder for your own settings',
    'set HOME or DOCKET_HOME',
  );
}
