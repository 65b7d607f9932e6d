import type * as v from 'valibot';
import { DocketError } from '../errors.ts';
import type { agentSchema, BudgetSettings, configSchema } from './schema.ts';

export type Config = v.InferOutput<typeof configSchema> & {
  /** The caps of a day in the user's own file: they count all projects. */
  userBudgets?: Pick<BudgetSettings, 'day' | 'providers'>;
};
export type AgentSettings = v.InferOutput<typeof agentSchema>;

/** `.docket/config.yaml`: what it holds when nobody has written one. */
export const defaultConfig: Config = {
  /** durable: an acknowledged command survives power loss. relaxed: it survives a crash; power loss costs a second. */
  durability: 'durable',
  /** How long a command waits for other docket processes before it gives up with exit code 75. */
  lockWaitSeconds: 10,
  agents: {},
  roles: {},
  prices: {},
};

/** What one file sets, checked; keys that it does not set are absent. */
export type PartialConfig = Partial<Config>;

/** Parsed only when there is a file: the libraries it takes cost more than most commands. */
export async function parseConfig(text: string, path: string): Promise<PartialConfig> {
  const [{ configSchema }, { readYaml }] = await Promise.all([
    import('./schema.ts'),
    import('../schema/read.ts'),
  ]);
  const read = readYaml(text, configSchema);
  if ('value' in read) return onlySet(read.value, read.raw);
  // A misspelt key also leaves another one missing: the typo is what the person wants to hear of.
  const problem = read.problems.find(({ atKey }) => atKey) ?? read.problems[0];
  const { line, column, message } = problem;
  const fix = problem.fix.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
  throw new DocketError('INVALID', `${path}:${line}:${column}: ${message}`, fix, { path, line, column });
}

/** The project's file over the user's own over the defaults. Agents, roles and prices are taken one by one, by name. */
export function mergeConfig(user: PartialConfig, project: PartialConfig): Config {
  const all = { ...defaultConfig, ...user, ...project };
  return {
    ...all,
    agents: { ...user.agents, ...project.agents },
    roles: { ...user.roles, ...project.roles },
    prices: { ...user.prices, ...project.prices },
    ...joinedBudgets(user.budgets, project.budgets),
    ...joinedSetup(user.setup, project.setup),
    ...joinedTrust(user.trust, project.trust),
    ...joinedSecrets(user.secrets, project.secrets),
    ...(user.commandEnv &&
      project.commandEnv && { commandEnv: [...new Set([...user.commandEnv, ...project.commandEnv])] }),
    ...(user.notify && project.notify && { notify: { ...user.notify, ...project.notify } }),
  };
}

/** Here the user's own file counts before the project's: a repository does not say whom its reader trusts. */
function joinedTrust(user: Config['trust'], project: Config['trust']): Pick<Config, 'trust'> {
  if (!user || !project) return {};
  const both = <K extends 'hosts' | 'env' | 'paths'>(key: K) => [
    ...(project[key] ?? []),
    ...(user[key] ?? []),
  ];
  const lists = { hosts: both('hosts'), env: both('env'), paths: both('paths') };
  const authors = { ...project.authors, ...user.authors };
  return {
    trust: { ...project, ...user, ...lists, authors, sources: { ...project.sources, ...user.sources } },
  };
}

/** A project adds to what its reader keeps secret, and takes nothing away. */
function joinedSecrets(user: Config['secrets'], project: Config['secrets']): Pick<Config, 'secrets'> {
  if (!user || !project) return {};
  const both = (key: 'env' | 'files') => [...(user[key] ?? []), ...(project[key] ?? [])];
  return { secrets: { env: both('env'), files: both('files') } };
}

/** Key by key; caches and variables one by one, by name. */
function joinedSetup(user: Config['setup'], project: Config['setup']): Pick<Config, 'setup'> {
  if (!user || !project) return {};
  const caches = { ...user.caches, ...project.caches };
  return { setup: { ...user, ...project, caches, env: { ...user.env, ...project.env } } };
}

function joinedBudgets(
  user: BudgetSettings | undefined,
  project: BudgetSettings | undefined,
): Pick<Config, 'budgets' | 'userBudgets'> {
  if (!user) return {};
  const { day, providers, ...rest } = user;
  const ofDays = { ...(day && { day }), ...(providers && { providers }) };
  return { budgets: { ...rest, ...project }, userBudgets: ofDays };
}

/** Checking fills in defaults; a file must not override another with a default that nobody wrote. */
function onlySet(config: Config, raw: object): PartialConfig {
  return Object.fromEntries(Object.entries(config).filter(([key]) => Object.hasOwn(raw, key)));
}
