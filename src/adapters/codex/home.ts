import path from 'node:path';
import type { Where } from '../adapter.ts';
import { userHome } from '../home.ts';

export const loginFile = 'auth.json';

export function usersHome({ env }: Where): string | undefined {
  const home = userHome(env);
  return env['CODEX_HOME'] || (home && path.join(home, '.codex'));
}
