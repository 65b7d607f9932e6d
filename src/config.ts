import type { Document, visit as Visit } from 'yaml';
import type { z } from 'zod';
import type { agentSchema, BudgetSettings, configSchema } from './config/schema.ts';
import { DocketError } from './errors.ts';
import { nearest } from './errors/nearest.ts';

export type Config = z.infer<typeof configSchema> & {
  /** The caps of a day in the user's own file: they count all projects. */
  userBudgets?: Pick<BudgetSettings, 'day' | 'providers'>;
};
export type AgentSettings = z.infer<typeof agentSchema>;

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
  const [yaml, { configSchema, knownKeys }, { tooDeepAt }] = await Promise.all([
    import('yaml'),
    import('./config/schema.ts'),
    import('./config/nesting.ts'),
  ]);
  const lines = new yaml.LineCounter();
  const where = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { path, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const deep = tooDeepAt(text, yaml);
  if (deep !== undefined) {
    throw wrong({ path, ...positionOf(text, deep) }, 'too many levels of nesting', mendYaml);
  }
  const document = yaml.parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) throw wrong(where(broken.pos[0]), sentenceOf(broken.message), mendYaml);
  const content: unknown = contentOf(document, () => {
    throw wrong(where(firstAlias(document, yaml)), 'aliases stand for too many values', 'write them out');
  });
  const parsed = configSchema.safeParse(content);
  if (parsed.success) return onlySet(parsed.data, content);
  // A misspelt key also leaves another one missing: the typo is what the person wants to hear of.
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const known = knownKeys(issue.path);
    const guess = nearest(key, known);
    const fix = guess === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${guess}"?`;
    const place = [...issue.path, key];
    throw wrong(where(offsetOf(document, place)), `unknown key "${place.join('.')}"`, fix);
  }
  const at = issue?.path ?? [];
  throw wrong(
    where(offsetOf(document, at)),
    `${at.join('.')}: ${issue?.message ?? 'invalid'}`,
    'see docs/config.md',
  );
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
function onlySet(config: Config, content: unknown): PartialConfig {
  const keys = new Set(Object.keys(content as object));
  return Object.fromEntries(Object.entries(config).filter(([key]) => keys.has(key)));
}

const mendYaml = 'mend the YAML there; docket validate tells when it is right';

/** The library repeats the place, and draws it. */
function sentenceOf(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The library refuses aliases of aliases that would fill the memory. */
function contentOf(document: Document, tooLarge: () => never): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    if (error instanceof ReferenceError) return tooLarge();
    throw error;
  }
}

function firstAlias(document: Document, { visit }: { visit: typeof Visit }): number {
  let at = 0;
  visit(document, {
    Alias: (_key, node) => {
      at = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return at;
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  if (node?.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1)); // what is missing is told at its place
}

function wrong(
  at: { path: string; line: number; column: number },
  message: string,
  fix: string,
): DocketError {
  return new DocketError('INVALID', `${at.path}:${at.line}:${at.column}: ${message}`, fix, at);
}
