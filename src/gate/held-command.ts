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
  const { root, ...rest } = place;
  const env = allowedEnv(given, { cwd: place.cwd });
  if (!(await canSandbox())) return { argv, env };
  const wish = { ...rest, env, readOnly: false, network: false, writable: [] };
  return {
    argv: await sandboxed(argv, { ...wish, confined: { root, settings: [], paths: [], programs: [] } }),
    env,
  };
}
