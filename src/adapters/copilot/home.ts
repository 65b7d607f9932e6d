import path from 'node:path';
import { makeDir } from '../../io/files.ts';
import type { AgentRequest, Where } from '../adapter.ts';
import { linkFiles, userHome } from '../home.ts';

/**
 * Who is logged in, and the token itself where the system has no store for secrets. In that store, and in the
 * variables of the environment, the login is the same for every home.
 */
export const loginFiles = ['config.json'];

/** Where copilot keeps settings and sessions. */
export function stateDir({ env, home }: Where): string | undefined {
  if (home !== undefined) return home;
  const user = userHome(env);
  return env['COPILOT_HOME'] || (user && path.join(user, '.copilot'));
}

/** The program unpacks itself there at its first start: 235 MB that every home shares. */
export function packageCache(env: Where['env']): string | undefined {
  const user = userHome(env);
  const named = env['COPILOT_PKG_CACHE_HOME'] || env['COPILOT_CACHE_HOME'];
  if (named) return named;
  const cache = env['XDG_CACHE_HOME'] || (user && path.join(user, '.cache'));
  return cache && path.join(cache, 'copilot');
}

/** Makes what an outer sandbox can only leave writable if it is there. */
export function prepareHome(request: AgentRequest): Record<string, string> {
  const { env, home } = request;
  const needed = request.sandboxed ? [stateDir(request), packageCache(env)] : [];
  for (const dir of needed) if (dir !== undefined) makeDir(dir);
  if (home === undefined) return {};
  linkFiles(stateDir({ env }), home, loginFiles);
  return { COPILOT_HOME: home };
}
