import path from 'node:path';
import type { Where } from '../adapter.ts';
import { userHome } from '../home.ts';

export const loginFile = '.credentials.json';

export function usersHome({ env }: Where): string | undefined {
  const home = userHome(env);
  return env['CLAUDE_CONFIG_DIR'] || (home && path.join(home, '.claude'));
}
