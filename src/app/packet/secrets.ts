import type { Config } from '../../config.ts';
import { secretsIn } from '../../render/known-secrets.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The secrets that can be known: those of docket's own environment, and those that the settings hand to an agent. */
export function knownSecrets(env: Env, { agents }: Pick<Config, 'agents'>): string[] {
  const handed = Object.values(agents).map(({ env: set = {} }) => {
    const values = Object.entries(set).map(([name, value]) => {
      const from = /^\$([A-Za-z_]\w*)$/.exec(value)?.[1];
      return [name, from === undefined ? value : env[from]];
    });
    return Object.fromEntries(values) as Env;
  });
  return [...new Set([env, ...handed].flatMap(secretsIn))];
}
