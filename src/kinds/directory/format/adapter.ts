import type { Task } from '../../../task/schema.ts';
import { builtInAdapters } from './action-fields.ts';

/** The adapter in the format's word: agents that carry one of its two names are codex and need no configuration. */
export function nativeAdapter({ agent, adapter }: { agent: string; adapter: string }): string {
  return isNative(agent) ? agent : adapter;
}

export function isNative(agent: string): boolean {
  return (builtInAdapters as readonly string[]).includes(agent);
}

/**
 * The instance whose vendor home a step works in: its own, or, where it starts from another's session, that one's,
 * because a vendor looks for a session in one home only. Undefined: the session is nobody's here, so it is the user's.
 */
export function homeInstance(
  { run, attempts }: Pick<Task, 'run' | 'attempts'>,
  step: string,
): string | undefined {
  const seen = new Set<string>();
  for (let at = step; !seen.has(at);) {
    seen.add(at);
    const step = run?.steps.find(({ id }) => id === at);
    const session = step?.session;
    // What another tool began has its session in its own home.
    if (!session || step.foreign) return at;
    const parent = Object.values(attempts ?? {}).find((attempt) => attempt.session === session.id);
    if (!parent || parent.step === at) return undefined;
    at = parent.step;
  }
  return undefined;
}
