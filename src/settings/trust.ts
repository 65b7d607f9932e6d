import path from 'node:path';
import type { Adapter } from '../adapters/adapter.ts';
import type { Confinement } from '../adapters/agent.ts';
import { hostsFor, neededEnv } from '../adapters/provider.ts';
import type { Trust } from '../task/schema.ts';
import type { Source } from '../task/trust.ts';
import type { AgentSettings, Config } from './config.ts';
import type { Project } from './project.ts';

/** What a person types or writes into their own files is theirs. */
const usual: Readonly<Record<Source, Trust['level']>> = {
  person: 'high',
  file: 'high',
  issue: 'low',
  chat: 'low',
  agent: 'low',
};

/** What docket saw of where a task's words come from; where several wrote them, the least of them counts. */
export interface Origin {
  source: Source;
  author?: string;
  others?: readonly string[];
}

/** Undefined: a person's own words, of which there is nothing to be said. */
export function trustIn(
  { source, author, others = [] }: Origin,
  { trust = {} }: Pick<Config, 'trust'>,
): Trust | undefined {
  const { authors = {}, sources = {} } = trust;
  const standard = sources[source] ?? usual[source];
  const writers = [...(author === undefined ? [] : [author]), ...others];
  const levels = writers.map((name) => (Object.hasOwn(authors, name) ? authors[name] : standard));
  const level = (levels.length === 0 ? [standard] : levels).includes('low') ? 'low' : 'high';
  if (level === 'high' && (source === 'person' || source === 'file')) return undefined;
  return { level, source, ...(author !== undefined && { author: author.slice(0, 200) }) };
}

/** Somebody in a chat is vouched for by their id there, which nobody chooses, or by the name they act under. */
export function trustInChat(id: string, name: string, config: Pick<Config, 'trust'>): Trust | undefined {
  const byName = Object.hasOwn(config.trust?.authors ?? {}, name);
  return trustIn({ source: 'chat', author: byName ? name : id }, config);
}

/** What an agent is held to for tasks of low trust. */
export function confinementOf(
  adapter: Adapter,
  settings: Pick<AgentSettings, 'hosts'>,
  { trust = {} }: Pick<Config, 'trust'>,
  { root, env }: Pick<Project, 'root' | 'env'>,
): Confinement {
  const home = env['HOME'] ?? '~';
  return {
    low: trust.low ?? 'sandbox',
    hosts: [...hostsFor(adapter, env), ...(settings.hosts ?? []), ...(trust.hosts ?? [])],
    settings: adapter.settings ?? [],
    env: neededEnv(adapter, trust.env ?? []),
    paths: (trust.paths ?? []).map((one) => path.resolve(root, one.replace(/^~(?=\/|$)/, home))),
    root,
  };
}

/** Nobody makes more of somebody's words by handing them on: where one side has low trust, the task has it. */
export function leastTrust(theirs: Trust | undefined, ours: Trust | undefined): Trust | undefined {
  return [theirs, ours].find((trust) => trust?.level === 'low') ?? theirs ?? ours;
}
