import type { CommandRights } from '../gate/commands.ts';
import type { Task } from '../task/schema.ts';
import { isLow } from '../task/trust.ts';
import { knownAgents } from './agents.ts';
import type { Config } from './config.ts';

/**
 * What commands that check the work of these tasks may do: they run what its agents wrote, so they are held as its agents
 * were, and get of the environment what builds need and the settings name.
 */
export function commandRights(tasks: readonly Task[], config: Config, root: string): CommandRights {
  const box = sandboxOf(tasks, config);
  return {
    pass: passedTo(config),
    low: tasks.some(isLow) ? root : undefined,
    box: box && { root, ...box },
  };
}

/** The task's own variables come from `setup`: they are named there. */
function passedTo({ commandEnv = [], setup = {} }: Config): string[] {
  const { env = {}, caches = {}, ports = [] } = setup;
  return [...commandEnv, ...Object.keys(env), ...Object.keys(caches), ...ports, 'LEASED_PORTS'];
}

/** One agent in a sandbox is enough: nobody can tell whose work a command runs. */
function sandboxOf(tasks: readonly Task[], config: Config): { network: boolean } | undefined {
  const known = knownAgents(config);
  const names = tasks.flatMap(({ attempts = {} }) => Object.values(attempts).map(({ agent }) => agent));
  const boxed = names
    .flatMap((name) => known.get(name) ?? [])
    .filter(({ sandbox }) => sandbox === 'bubblewrap');
  return boxed.length === 0 ? undefined : { network: boxed.every(({ network }) => network !== false) };
}
