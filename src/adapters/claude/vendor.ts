import path from 'node:path';
import { hasKeychain } from '../../io/identity.ts';
import { exists } from '../../io/links.ts';
import type { Login, Where } from '../adapter.ts';
import { userHome } from '../home.ts';
import { json, lazily, pastTurn, server, shellLine, type Vendor } from '../vendor.ts';
import { loginFile, usersHome } from './home.ts';

const keys = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
const otherClouds = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];

export const claude: Vendor = {
  name: 'claude',
  program: 'claude',
  package: '@anthropic-ai/claude-code',
  hosts: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai'],
  settings: [
    'settings.json',
    'settings.local.json',
    'CLAUDE.md',
    'agents',
    'commands',
    'hooks',
    'plugins',
    'skills',
  ],
  instructions: 'CLAUDE.md',
  ownSkills: true,
  mcpClients: ({ here, shared }) => [
    { client: 'Claude Code', how: 'run', text: `claude mcp add docket -- ${shellLine(here('claude'))}` },
    {
      client: 'Claude Code, for everybody with docket on PATH',
      how: 'write .mcp.json',
      text: json({ mcpServers: { docket: server(shared('claude')) } }),
    },
  ],
  capabilities: {
    resume: true,
    fork: true,
    choosesId: true,
    movesFolder: true,
    structured: true,
    usage: 'turn',
    approvals: false,
    toolStarts: true,
    replays: true,
    // Full leaves nothing to hold.
    permissions: { read: 'tools', edit: 'tools', full: 'tools' },
    costs: true,
  },
  // One by one: others of this prefix belong to a claude that docket itself may run under.
  passEnv: [
    'ANTHROPIC_*',
    'CLAUDE_CODE_OAUTH_TOKEN',
    ...otherClouds,
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_MAX_RETRIES',
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'DISABLE_TELEMETRY',
    'DISABLE_ERROR_REPORTING',
  ],
  writable,
  login,
  run: lazily(() => import('./launch.ts')),
  tools: {
    commands: 'Bash',
    others:
      'Read Edit MultiEdit Write NotebookEdit NotebookRead Glob Grep LS TodoRead TodoWrite WebFetch WebSearch BashOutput ' +
      'KillShell KillBash ExitPlanMode EnterPlanMode',
    failed: /^(?:Error: )?Exit code [1-9]/,
  },
  async readLog() {
    const reader = new (await import('./reader.ts')).StreamReader(pastTurn);
    return (value) => reader.line(value);
  },
};

/**
 * A worker's own home has the user's login by a link to `.credentials.json`, which claude reads. On macOS the login is
 * in the keychain, under a name that depends on the home: there a worker needs a token in its environment
 * (`claude setup-token`), or a login of its own.
 */
function writable(where: Where): readonly string[] {
  const users = usersHome(where);
  if (where.home !== undefined) {
    const file = users && path.join(users, loginFile);
    return file && exists(file) ? [where.home, file] : [where.home];
  }
  if (users === undefined) return [];
  // Its settings file stands beside the folder, unless the folder was chosen.
  const home = userHome(where.env);
  return where.env['CLAUDE_CONFIG_DIR'] || home === undefined
    ? [users]
    : [users, path.join(home, '.claude.json')];
}

/** Settings may name a program that hands out keys, and we do not look inside. */
function login(where: Where): Login {
  if (keys.some((name) => where.env[name])) return 'yes';
  const homes = [where.home, usersHome(where)].filter((home) => home !== undefined);
  if (homes.some((home) => exists(path.join(home, loginFile)))) return 'yes';
  if (hasKeychain() || otherClouds.some((name) => where.env[name])) return 'unknown';
  return homes.some((home) => exists(path.join(home, 'settings.json'))) ? 'unknown' : 'no';
}
