import path from 'node:path';
import { exists } from '../../io/links.ts';
import type { Login, Where } from '../adapter.ts';
import { loginTargets, userHome } from '../home.ts';
import { json, lazily, server, type Vendor } from '../vendor.ts';
import { loginFiles, packageCache, stateDir } from './home.ts';

/** GitHub's Copilot CLI: one process per turn, prompt by stdin, a stream of JSON lines, tokens in a file of their own. */
export const copilot: Vendor = {
  name: 'copilot',
  program: 'copilot',
  package: '@github/copilot',
  hosts: [
    'api.githubcopilot.com',
    'api.individual.githubcopilot.com',
    'api.business.githubcopilot.com',
    'api.enterprise.githubcopilot.com',
    'api.github.com',
  ],
  settings: ['mcp-config.json', 'copilot-instructions.md', 'agents', 'skills', 'hooks'],
  loginEnv: ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST'],
  mcpClients: ({ here }) => [
    {
      client: 'GitHub Copilot CLI',
      how: 'add to ~/.copilot/mcp-config.json',
      text: json({ mcpServers: { docket: { type: 'local', ...server(here('copilot')), tools: ['*'] } } }),
    },
  ],
  capabilities: {
    resume: true,
    fork: true,
    choosesId: true,
    movesFolder: true,
    structured: false,
    usage: 'session',
    approvals: false,
    toolStarts: true,
    replays: true,
    permissions: { read: 'tools', edit: 'tools', full: 'tools' },
  },
  passEnv: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST', 'USE_BUILTIN_RIPGREP'],
  writable: (where) => {
    const kept = [stateDir(where), packageCache(where.env)].filter((dir) => dir !== undefined);
    return where.home === undefined
      ? kept
      : [...kept, ...loginTargets(stateDir({ env: where.env }), loginFiles)];
  },
  login,
  run: lazily(() => import('./launch.ts')),
  tools: {
    commands: 'bash shell',
    others:
      'view edit create apply_patch grep glob report_intent read_bash stop_bash web_fetch update_todo task',
  },
  async readLog(session) {
    const reader = new (await import('./reader.ts')).CopilotReader(session);
    return (value) => reader.line(value);
  },
};

function login(where: Where): Login {
  const { env } = where;
  if (env['COPILOT_GITHUB_TOKEN'] || env['COPILOT_PROVIDER_BASE_URL']) return 'yes';
  // These two may be good for other things only. And of a login by hand the token is in the system's own store.
  if (env['GH_TOKEN'] || env['GITHUB_TOKEN']) return 'unknown';
  const home = userHome(env);
  const dir = stateDir(where);
  if (home === undefined || dir === undefined) return 'unknown';
  const gh = path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'gh', 'hosts.yml');
  const users = stateDir({ env }) ?? dir;
  const traces = [path.join(dir, 'config.json'), path.join(users, 'config.json'), gh];
  return traces.some(exists) ? 'unknown' : 'no';
}
