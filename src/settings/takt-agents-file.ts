import type { Wrong } from '../schema/problem.ts';
import type { Json } from '../task/json.ts';
import { readSettings, type SettingsFile } from './takt-settings-file.ts';

/** An agent of `.takt/agents.yaml`, as far as it means something here. */
interface TaktAgent {
  adapter: 'claude' | 'codex' | 'gemini' | 'copilot' | 'opencode';
  model?: string;
  permission?: 'read' | 'edit' | 'full';
}

export interface AgentsFile {
  agents: Record<string, TaktAgent>;
  /** What docket makes nothing of. */
  remarks: Wrong[];
}

const adapters: ReadonlyMap<string, TaktAgent['adapter']> = new Map([
  ['claude', 'claude'],
  ['claude-sdk', 'claude'],
  ['claude-terminal', 'claude'],
  ['codex', 'codex'],
  ['gemini', 'gemini'],
  ['copilot', 'copilot'],
  ['opencode', 'opencode'],
]);
const permissions: ReadonlyMap<string, TaktAgent['permission']> = new Map([
  ['readonly', 'read'],
  ['edit', 'edit'],
  ['full', 'full'],
]);
const understood = ['name', 'provider', 'model', 'permission_mode'];
const namePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Agents by name: a mapping below `agents`, or a list of them with a `name` each. */
export function agentsIn(text: string): AgentsFile {
  const file = readSettings(text);
  const result: AgentsFile = { agents: {}, remarks: [] };
  if ('message' in file) return { ...result, remarks: [file] };
  const remark: Remark = (path, message, fix) => result.remarks.push({ message, fix, ...file.at(...path) });
  for (const [path, name, settings] of entriesIn(file, remark)) {
    const agent = agentOf(path, name, settings, remark);
    if (agent) result.agents[name] = agent;
  }
  return result;
}

type Path = readonly (string | number)[];
type Remark = (path: Path, message: string, fix: string) => void;
type Settings = { readonly [key: string]: Json };

function entriesIn({ value }: SettingsFile, remark: Remark): [Path, string, Settings][] {
  const { agents = null, ...rest } = asObject(value) ?? {};
  for (const key of Object.keys(rest))
    remark([key], `docket makes nothing of "${key}"`, 'Nothing is to be done.');
  if (Array.isArray(agents)) {
    return agents.flatMap((one, index): [Path, string, Settings][] => {
      const settings = asObject(one);
      const name = settings?.['name'];
      if (settings && typeof name === 'string') return [[['agents', index], name, settings]];
      remark(['agents', index], 'an agent without a name', 'Add "name:".');
      return [];
    });
  }
  return Object.entries(asObject(agents) ?? {}).flatMap(([name, one]): [Path, string, Settings][] => {
    const settings = asObject(one);
    if (settings) return [[['agents', name], name, settings]];
    remark(['agents', name], `the agent "${name}" has no settings`, 'Add "provider:" below it.');
    return [];
  });
}

function agentOf(path: Path, name: string, settings: Settings, remark: Remark): TaktAgent | undefined {
  const say = (key: string, message: string, fix: string) =>
    remark([...path, key], `agent "${name}": ${message}`, fix);
  for (const key of Object.keys(settings))
    if (!understood.includes(key)) say(key, `docket makes nothing of "${key}"`, 'Nothing is to be done.');
  const { provider, model, permission_mode: mode } = settings;
  const adapter = typeof provider === 'string' ? adapters.get(provider) : undefined;
  if (!namePattern.test(name))
    say('name', 'the name is none for docket', 'Use letters, digits, ".", "_" and "-".');
  else if (!adapter)
    say('provider', 'docket has no such provider', `Use one of ${[...adapters.keys()].join(', ')}.`);
  if (!adapter || !namePattern.test(name)) return undefined;
  const permission = typeof mode === 'string' ? permissions.get(mode) : undefined;
  if (mode !== undefined && !permission)
    say('permission_mode', 'no such mode', 'Use readonly, edit or full.');
  return {
    adapter,
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(permission && { permission }),
  };
}

export function asObject(value: Json): Settings | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
