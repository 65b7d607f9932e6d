import path from 'node:path';
import type { Where } from '../adapter.ts';
import { userHome } from '../home.ts';

/** Where gemini keeps settings, logins and sessions. */
export function stateDir({ env, home }: Where): string | undefined {
  const base = home ?? (env['GEMINI_CLI_HOME'] || userHome(env));
  return base === undefined ? undefined : path.join(base, '.gemini');
}

/**
 * What holds a login: Google's token and the account it belongs to, an encrypted store, and a file of variables.
 * The CLI writes tokens in place, so a renewed one arrives at the user's own file through the link.
 */
export const loginFiles = ['oauth_creds.json', 'google_accounts.json', 'gemini-credentials.json', '.env'];
