import type { Agent } from '../adapters/agent.ts';
import type { Holds } from '../engine/admission.ts';
import { messageOf } from '../errors.ts';
import { sleepBy, type Clock } from '../io/clock.ts';
import type { DayCaps } from '../meter/admit.ts';
import type { Here } from '../meter/book.ts';
import { Meter } from '../meter/meter.ts';
import type { Step } from '../task/run.ts';
import type { Permission } from '../workflow/graph.ts';
import { agentNamed, assertThere, roleOf } from './agents.ts';
import type { Config } from './config.ts';
import { meterFolder } from './meter-folder.ts';
import { ownProject } from './project-id.ts';
import type { Project } from './project.ts';

type Where = Pick<Project, 'root' | 'env' | 'clock'> & Partial<Pick<Project, 'warn'>>;

/** What every run is held to, whatever its layout: limits and budgets, and who stands in for whom. */
export function holdsFor(where: Where, config: Config, here = ownProject(where.root)): Holds {
  const { clock } = where;
  const { attempt, step, run, task, unknownPrice } = config.budgets ?? {};
  return {
    meter: meterFor(where),
    here,
    budgets: {
      ...(attempt && { attempt }),
      ...(step && { step }),
      ...(run && { run }),
      ...(task && { task }),
      ...(unknownPrice && { unknownPrice }),
    },
    day: [...dayCaps(config.budgets, '', here), ...dayCaps(config.userBudgets, 'user.')],
    standIns: (one, agent) => standIns(one, agent, config, where),
    sleep: (ms, signal) => sleepBy(clock, ms, signal),
  };
}

const meters = new WeakMap<Clock, Map<string, Meter>>();

/**
 * The user's own account book: limits and caps of a day know no projects. A process has one meter for each folder, so
 * that the calls of the day are read once and not again for every task.
 */
export function meterFor(where: Where): Meter {
  const { clock } = where;
  const known = meters.get(clock) ?? new Map<string, Meter>();
  meters.set(clock, known);
  const folder = meterFolder(where);
  const meter = known.get(folder) ?? new Meter(folder, () => clock.now());
  known.set(folder, meter);
  return meter;
}

/** What a day may cost, by the settings of one file. */
export function dayCaps(budgets: Config['userBudgets'], owner: '' | 'user.', ofProject?: Here): DayCaps[] {
  const here = ofProject && { here: ofProject };
  const providers = Object.entries(budgets?.providers ?? {});
  return [
    ...(budgets?.day ? [{ scope: `${owner}day`, caps: budgets.day, ...here }] : []),
    ...providers.map(([provider, caps]) => ({
      scope: `${owner}providers.${provider}`,
      caps,
      provider,
      ...here,
    })),
  ];
}

const levels: readonly Permission[] = ['read', 'edit', 'full'];

/** Those that can be started; each with no more rights than the one that it stands in for. */
async function standIns(step: Step, agent: Agent, config: Config, where: Where): Promise<Agent[]> {
  const names = roleOf(step.role, config).fallback ?? config.fallback ?? [];
  const found: Agent[] = [];
  for (const name of names.filter((one) => one !== agent.name)) {
    try {
      const other = await agentNamed(name, config, where);
      assertThere(other, where);
      const least = Math.min(levels.indexOf(other.permission), levels.indexOf(agent.permission));
      found.push({
        ...other,
        permission: levels[least] ?? 'read',
        limits: agent.limits,
        ...(other.adapter.name === 'script' && agent.home !== undefined && { home: agent.home }),
      });
    } catch (error) {
      where.warn?.(`${name} cannot stand in for ${agent.name}: ${messageOf(error)}`);
    }
  }
  return found;
}
