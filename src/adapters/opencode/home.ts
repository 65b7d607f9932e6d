import path from 'node:path';
import { makeDir } from '../../io/files.ts';
import type { AgentRequest, Where } from '../adapter.ts';
import { linkFiles, userHome } from '../home.ts';

const kinds = {
  config: ['XDG_CONFIG_HOME', '.config'],
  data: ['XDG_DATA_HOME', path.join('.local', 'share')],
  state: ['XDG_STATE_HOME', path.join('.local', 'state')],
  cache: ['XDG_CACHE_HOME', '.cache'],
} as const;
type Kind = keyof typeof kinds;

/** Logins, also of the servers of tools. */
export const loginFiles = ['auth.json', 'mcp-auth.json', 'account.json'];

/** opencode's own folders: settings, sessions and logins (data), state, cache. */
export function folders({ env, home }: Where): Partial<Record<Kind, string>> {
  const user = userHome(env);
  const found: Partial<Record<Kind, string>> = {};
  for (const kind of Object.keys(kinds) as Kind[]) {
    const [variable, usual] = kinds[kind];
    const base =
      home === undefined ? env[variable] || (user && path.join(user, usual)) : path.join(home, kind);
    if (base !== undefined) found[kind] = path.join(base, 'opencode');
  }
  return found;
}

/** Makes what an outer sandbox can only leave writable if it is there. */
export function prepareHome(request: AgentRequest): Record<string, string> {
  const { env, home } = request;
  if (request.sandboxed) for (const dir of Object.values(folders(request))) makeDir(dir);
  if (home === undefined) return {};
  const variables: Record<string, string> = {};
  for (const kind of Object.keys(kinds) as Kind[]) {
    variables[kinds[kind][0]] = path.join(home, kind);
    makeDir(path.join(home, kind));
  }
  linkFiles(folders({ env }).data, path.join(home, 'data', 'opencode'), loginFiles);
  return variables;
}
