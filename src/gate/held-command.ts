import { allowedEnv } from '../io/process/environment.ts';
import { canSandbox, sandboxed } from '../io/process/sandbox.ts';

export interface Held {
  argv: readonly string[];
  env: Record<string, string>;
}

/**
 * A command over work that nobody vouches for runs whatever that work put into scripts and tests: without keys, without
 * a network, and writing nowhere but in the work tree. Where there is no sandbox its agent could change nothing.
 */
export async function heldCommand(
  argv: readonly string[],
  place: { root: string; cwd: string; dir: string; mark: string },
  given: Readonly<Record<string, string | undefined>>,
): Promise<Held> {
  const env = allowedEnv(given, { cwd: place.cwd });
  if (!(await canSandbox())) return { argv, env };
  const wish = { ...place, env, readOnly: false, network: false, writable: [] };
  return {
    argv: await sandboxed(argv, {
      ...wish,
      confined: { root: place.root, settings: [], paths: [], programs: [] },
    }),
    env,
  };
}

/** A command over the work of an agent in the outer sandbox runs what that agent wrote: in the same sandbox. */
export async function boxedCommand(
  argv: readonly string[],
  place: { root: string; cwd: string; dir: string; mark: string; network: boolean },
  env: Record<string, string>,
): Promise<Held> {
  return { argv: await sandboxed(argv, { ...place, env, readOnly: false, writable: [] }), env };
}
