import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Adapter } from '../adapters/adapter.ts';
import { installCommand, isVendor, loadAdapter, variants, vendorNames } from '../adapters/adapters.ts';
import { defaultLimits, type Agent, type Limits } from '../adapters/agent.ts';
import { DocketError } from '../errors.ts';
import { command, fix } from '../errors/command.ts';
import { didYouMean } from '../errors/nearest.ts';
import { requireProgram } from '../io/find-program.ts';
import type { AgentSettings, Config } from './config.ts';
import type { Project } from './project.ts';
import { confinementOf } from './trust.ts';

/** Every agent that can be named: the vendors under their own names, variants of them, and the ones in the settings. */
export function knownAgents(config: Config): Map<string, AgentSettings> {
  const builtIn = vendorNames.map((adapter): [string, AgentSettings] => [adapter, { adapter }]);
  return new Map([...builtIn, ...variantsIn(config), ...Object.entries(config.agents)]);
}

/** A newcomer has enough to choose from without it. */
export function isVariant(name: string): boolean {
  return Object.hasOwn(variants, name);
}

/** For whoever has no agent yet. */
export function suggestedInstall(): Promise<string> {
  return installCommand(vendorNames[0]);
}

/** With what the settings say about the vendor's agent itself. */
function variantsIn({ agents }: Config): [string, AgentSettings][] {
  return Object.entries(variants).map(([name, { adapter, approvals }]) => {
    const own = agents[adapter];
    return [name, { ...(own?.adapter === adapter ? own : { adapter }), approvals }];
  });
}

export async function agentNamed(
  name: string,
  config: Config,
  where: Pick<Project, 'root' | 'env'>,
): Promise<Agent> {
  const settings = assertKnownAgent(name, config);
  return agentFrom(name, settings, await loadAdapter(settings.adapter), config, where);
}

/** Its settings; an unknown name is an error that names the nearest one. */
export function assertKnownAgent(name: string, config: Config): AgentSettings {
  const known = knownAgents(config);
  const settings = known.get(name);
  if (!settings) throw unknownAgent(name, [...known.keys()]);
  return settings;
}

export function agentFrom(
  name: string,
  settings: AgentSettings,
  adapter: Adapter,
  config: Config,
  { root, env }: Pick<Project, 'root' | 'env'>,
): Agent {
  const { model, command, home, free, report } = settings;
  const agent: Agent = {
    name,
    adapter,
    provider: settings.provider ?? providerOf(name, settings, root),
    permission: settings.permission ?? defaultPermission(adapter),
    limits: limitsFrom(settings.limits),
    env: valuesOf(name, settings.env ?? {}, env),
    sandbox: settings.sandbox ?? 'none',
    network: settings.network ?? true,
    approvals: settings.approvals ?? false,
    confinement: confinementOf(adapter, settings, config, { root, env }),
    ...(command !== undefined && { command: placed(command, root, adapter.name === 'script') }),
    ...(home !== undefined && { home: path.resolve(root, home.replace(/^~(?=\/|$)/, env['HOME'] ?? '~')) }),
    ...(free && { free }),
    ...(report !== undefined && { report }),
  };
  return model === undefined ? agent : onModel(agent, model, config);
}

/** The agent with this model, at its price: that of another one says nothing about it. */
export function onModel({ price: _, ...agent }: Agent, model: string, { prices }: Config): Agent {
  const price = prices[model];
  return { ...agent, model, ...(price && { price }) };
}

/** An account of a vendor is the user's, whatever the project; another home has another one. A program is its project's. */
function providerOf(name: string, { adapter, home }: AgentSettings, root: string): string {
  const of = (thing: string) => createHash('sha256').update(thing).digest('hex').slice(0, 8);
  if (!isVendor(adapter)) return `${name}@${of(root)}`;
  return home === undefined ? adapter : `${adapter}@${of(home)}`;
}

/** Who takes a role, and who stands in. */
export function roleOf(role: string | undefined, { roles }: Config): { agent?: string; fallback?: string[] } {
  const found = role !== undefined && Object.hasOwn(roles, role) ? roles[role] : undefined;
  return typeof found === 'string' ? { agent: found } : (found ?? {});
}

/** To edit is what most work needs. What can be held to nothing has only one level. */
function defaultPermission({ capabilities }: Adapter): Agent['permission'] {
  return capabilities.permissions.edit === 'none' ? 'full' : 'edit';
}

/** A relative file is meant from the root, not from the clone that the agent works in. A bare word is a program on PATH. */
function placed(command: readonly string[], root: string, isFile: boolean): string[] {
  const [first = '', ...rest] = command;
  return [isFile || /^\.{1,2}\//.test(first) ? path.resolve(root, first) : first, ...rest];
}

function limitsFrom(set: AgentSettings['limits'] = {}): Limits {
  const ms = (seconds: number | undefined, standard: number) =>
    seconds === undefined ? standard : seconds * 1000;
  const { outputMegabytes } = set;
  return {
    wallMs: ms(set.seconds, defaultLimits.wallMs),
    silenceMs: ms(set.silenceSeconds, defaultLimits.silenceMs),
    toolSilenceMs: ms(set.toolSilenceSeconds, defaultLimits.toolSilenceMs),
    graceMs: ms(set.graceSeconds, defaultLimits.graceMs),
    outputBytes: outputMegabytes === undefined ? defaultLimits.outputBytes : outputMegabytes * 1024 ** 2,
  };
}

function valuesOf(
  agent: string,
  wanted: Readonly<Record<string, string>>,
  env: Project['env'],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wanted).map(([name, value]) => {
      const from = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1];
      if (from === undefined) return [name, value];
      const found = env[from];
      if (found !== undefined) return [name, found];
      const message = `agents.${agent}.env.${name} takes its value from $${from}, which is not set`;
      throw new DocketError('INVALID', message, `export ${from}, or write the value itself`, {
        agent,
        name: from,
      });
    }),
  );
}

function unknownAgent(name: string, known: string[]): DocketError {
  const todo = didYouMean(name, known, `known agents: ${known.join(', ')}`);
  return new DocketError('NOT_FOUND', `there is no agent "${name}"`, fix`${todo} (${command`agents`})`, {
    agent: name,
  });
}

/** Its program can be started: asked once for a run, because otherwise every task would find out by itself. */
export function assertThere(agent: Agent, { root, env }: Pick<Project, 'root' | 'env'>): void {
  const program = agent.command?.[0] ?? agent.adapter.program;
  if (program === undefined || agent.adapter.name === 'script') return; // told by the adapter, which knows what is missing
  const set = Object.entries({ ...env, ...agent.env }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  requireProgram(program, Object.fromEntries(set) as Record<string, string>, root);
}

/** Who does a task: what it asks for, then the role's agent, then the default. */
export function agentNameFor(routing: { agent?: string; role?: string } | undefined, config: Config): string {
  const { agent, role } = routing ?? {};
  const chosen = agent ?? roleOf(role, config).agent ?? config.defaultAgent;
  if (chosen !== undefined) return chosen;
  throw new DocketError(
    'INVALID',
    'no agent is chosen',
    fix`see which are installed: ${command`agents`}; then write "defaultAgent: NAME" into .docket/config.yaml, or use --agent NAME`,
  );
}
