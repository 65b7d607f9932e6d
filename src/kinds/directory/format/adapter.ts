import { builtInAdapters } from './action-fields.ts';

/** The adapter in the format's word: agents that carry one of its two names are codex and need no configuration. */
export function nativeAdapter({ agent, adapter }: { agent: string; adapter: string }): string {
  return isNative(agent) ? agent : adapter;
}

export function isNative(agent: string): boolean {
  return (builtInAdapters as readonly string[]).includes(agent);
}
