import path from 'node:path';
import { exists } from '../../io/links.ts';
import type { Login, Where } from '../adapter.ts';
import { linkFiles } from '../home.ts';
import { lazily, pastTurn, shellLine, tomlTable, type Vendor } from '../vendor.ts';
import { loginFile, usersHome } from './home.ts';

export const codex: Vendor = {
  name: 'codex',
  program: 'codex',
  package: '@openai/codex',
  hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  settings: ['config.toml', 'AGENTS.md', 'hooks.json', 'prompts', 'rules', 'skills'],
  mcpClients: ({ here }) => [
    { client: 'Codex', how: 'run', text: `codex mcp add docket -- ${shellLine(here('codex'))}` },
    { client: 'Codex, by hand', how: 'add to ~/.codex/config.toml', text: tomlTable(here('codex')) },
  ],
  capabilities: {
    resume: true,
    fork: true,
    choosesId: false,
    movesFolder: true,
    structured: true,
    usage: 'session',
    approvals: true,
    toolStarts: true,
    replays: true,
    // Full leaves nothing to hold.
    permissions: { read: 'system', edit: 'system', full: 'system' },
  },
  // One by one: others of this prefix belong to a codex that docket itself may run under. A key by another name, for
  // a provider of the user's own, goes into the agent's settings.
  passEnv: ['CODEX_HOME', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'CODEX_CA_CERTIFICATE', 'OPENAI_*'],
  linkSettings: (where) => linkFiles(usersHome(where), where.home, ['config.toml']),
  writable,
  login,
  run: lazily(() => import('./run.ts')),
  tools: { commands: 'shell', others: 'edit web_search image_generation', failed: /(?:)/ },
  async readLog() {
    const exec = new (await import('./reader.ts')).ExecReader(pastTurn);
    const server = new (await import('./app-server-reader.ts')).AppServerReader({});
    return (value) => {
      if (typeof value['method'] === 'string') return server.notice(value['method'], value['params']);
      return 'result' in value ? server.result(value['result']) : exec.line(value);
    };
  },
};

/**
 * A worker's own home has the user's login by a link to `auth.json`: codex reads it and, when it renews a token,
 * writes it through the link. So the file that the link leads to must stay writable too.
 */
function writable(where: Where): readonly string[] {
  const users = usersHome(where);
  if (where.home === undefined) return users === undefined ? [] : [users];
  const login = users && path.join(users, loginFile);
  return login && exists(login) ? [where.home, login] : [where.home];
}

/**
 * `OPENAI_API_KEY` alone does not log codex in. A config file may name another provider or the system's keyring, and
 * we do not look inside.
 */
function login(where: Where): Login {
  const homes = [where.home, usersHome(where)].filter((home) => home !== undefined);
  if (where.env['CODEX_API_KEY'] || where.env['CODEX_ACCESS_TOKEN']) return 'yes';
  if (homes.some((home) => exists(path.join(home, loginFile)))) return 'yes';
  return homes.some((home) => exists(path.join(home, 'config.toml'))) ? 'unknown' : 'no';
}
