import path from 'node:path';
import { exists } from '../../io/links.ts';
import type { Login, Where } from '../adapter.ts';
import { loginTargets } from '../home.ts';
import { json, lazily, server, type Vendor } from '../vendor.ts';
import { loginFiles, stateDir } from './state.ts';

/** Google's Gemini CLI: one process per turn, prompt by stdin, a stream of JSON lines. */
export const gemini: Vendor = {
  name: 'gemini',
  program: 'gemini',
  package: '@google/gemini-cli',
  hosts: [
    'generativelanguage.googleapis.com',
    'cloudcode-pa.googleapis.com',
    'aiplatform.googleapis.com',
    'oauth2.googleapis.com',
  ],
  settings: ['settings.json', 'GEMINI.md', 'commands', 'extensions', 'policies', 'skills'],
  mcpClients: ({ here }) => [
    {
      client: 'Gemini CLI',
      how: 'add to .gemini/settings.json',
      text: json({ mcpServers: { docket: server(here('gemini')) } }),
    },
  ],
  capabilities: {
    resume: true,
    fork: true,
    choosesId: true,
    // Elsewhere it goes on from a copy of its transcript, under a new id that the first event tells.
    movesFolder: true,
    structured: false,
    usage: 'turn',
    approvals: false,
    toolStarts: true,
    replays: true,
    permissions: { read: 'tools', edit: 'tools', full: 'tools' },
  },
  passEnv: ['GEMINI_*', 'GOOGLE_*', 'CLOUDSDK_*', 'CODE_ASSIST_ENDPOINT'],
  writable: (where) => {
    const own = where.home === undefined ? [] : [path.join(where.home, '.gemini')];
    const users = stateDir({ env: where.env });
    if (own.length === 0) return users === undefined ? [] : [users];
    return [...own, ...loginTargets(users, loginFiles)];
  },
  login,
  run: lazily(() => import('./launch.ts')),
  tools: {
    commands: 'run_shell_command',
    others:
      'read_file read_many_files write_file replace list_directory glob grep_search search_file_content web_fetch ' +
      'google_web_search save_memory write_todos',
  },
  async readLog() {
    const reader = new (await import('./reader.ts')).GeminiReader();
    return (value) => reader.line(value);
  },
};

const keys = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'];

function login(where: Where): Login {
  if (keys.some((key) => where.env[key])) return 'yes';
  const dirs = [stateDir(where), stateDir({ env: where.env })].filter((dir) => dir !== undefined);
  if (dirs.length === 0) return 'unknown';
  if (dirs.some((dir) => exists(path.join(dir, 'oauth_creds.json')))) return 'yes';
  // A key may lie in an .env file or in the system's keychain, where nobody can tell without a look inside.
  return dirs.some(exists) ? 'unknown' : 'no';
}
