import path from 'node:path';
import { exists } from '../../io/links.ts';
import type { Login, Where } from '../adapter.ts';
import { loginTargets } from '../home.ts';
import { json, lazily, type Vendor } from '../vendor.ts';
import { folders, loginFiles } from './home.ts';

/** opencode: one process per turn, prompt by stdin, a stream of JSON lines. */
export const opencode: Vendor = {
  name: 'opencode',
  program: 'opencode',
  package: 'opencode-ai',
  hosts: ['opencode.ai', 'models.dev'],
  settings: ['opencode.json', 'opencode.jsonc', 'AGENTS.md', 'agent', 'command', 'plugin', 'tool'],
  mcpClients: ({ here }) => [
    {
      client: 'opencode',
      how: 'add to opencode.json',
      text: json({ mcp: { docket: { type: 'local', command: here('opencode') } } }),
    },
  ],
  capabilities: {
    resume: true,
    fork: true,
    choosesId: false,
    // In another folder the turn would run in the old one, and the process would never end.
    movesFolder: false,
    structured: false,
    usage: 'turn',
    approvals: false,
    toolStarts: false,
    replays: true,
    permissions: { read: 'tools', edit: 'tools', full: 'tools' },
    costs: true,
  },
  // Any vendor's key may be what the user's model needs.
  passEnv: [
    'OPENCODE_*',
    'ANTHROPIC_*',
    'OPENAI_*',
    'GEMINI_API_KEY',
    'GOOGLE_*',
    'OPENROUTER_API_KEY',
    'GROQ_API_KEY',
    'MISTRAL_API_KEY',
    'DEEPSEEK_API_KEY',
    'XAI_API_KEY',
    'AZURE_*',
    'AWS_*',
    'GITHUB_TOKEN',
  ],
  writable: (where) => {
    const logins = loginTargets(folders({ env: where.env }).data, loginFiles);
    return [...Object.values(folders(where)), ...(where.home === undefined ? [] : logins)];
  },
  login,
  run: lazily(() => import('./launch.ts')),
  tools: {
    commands: 'bash',
    others:
      'read write edit multiedit patch apply_patch glob grep list todoread todowrite webfetch websearch',
  },
  async readLog() {
    const reader = new (await import('./reader.ts')).OpencodeReader();
    return (value) => reader.line(value);
  },
};

function login(where: Where): Login {
  if (where.env['OPENCODE_AUTH_CONTENT']) return 'yes';
  const homes = [folders(where).data, folders({ env: where.env }).data];
  // Without that file a key in the environment or in the settings, or a free model, may still do.
  return homes.some((data) => data && exists(path.join(data, 'auth.json'))) ? 'yes' : 'unknown';
}
