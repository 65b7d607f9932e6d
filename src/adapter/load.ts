import type { Adapter } from './adapter.ts';

/** Each adapter is loaded when somebody uses it: a command that runs codex has no need of the others. */
const loaders = {
  codex: async () => (await import('./codex/adapter.ts')).codex,
  claude: async () => (await import('./claude/adapter.ts')).claude,
  gemini: async () => (await import('./gemini/adapter.ts')).gemini,
  copilot: async () => (await import('./copilot/adapter.ts')).copilot,
  opencode: async () => (await import('./opencode/adapter.ts')).opencode,
  acp: async () => (await import('./acp/adapter.ts')).acp,
  command: async () => (await import('./command/adapter.ts')).command,
  script: async () => (await import('./script/adapter.ts')).script,
} satisfies Record<string, () => Promise<Adapter>>;

export type AdapterName = keyof typeof loaders;

export function loadAdapter(name: AdapterName): Promise<Adapter> {
  return loaders[name]();
}
