import type { Adapter } from './adapter.ts';

interface Provider {
  /** All that a task which nobody vouches for may talk to. */
  hosts: readonly string[];
  /** In the vendor's own folders: what later runs obey. Such a task may read it, and not change it. */
  settings: readonly string[];
}

const none: Provider = { hosts: [], settings: [] };

/** By adapter. Only what an answer of the model takes: no updates, no telemetry, no web. */
const providers: Readonly<Record<string, Provider>> = {
  codex: {
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    settings: ['config.toml', 'AGENTS.md', 'hooks.json', 'prompts', 'rules', 'skills'],
  },
  claude: {
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
  },
  gemini: {
    hosts: [
      'generativelanguage.googleapis.com',
      'cloudcode-pa.googleapis.com',
      'aiplatform.googleapis.com',
      'oauth2.googleapis.com',
    ],
    settings: ['settings.json', 'GEMINI.md', 'commands', 'extensions', 'policies', 'skills'],
  },
  copilot: {
    hosts: [
      'api.githubcopilot.com',
      'api.individual.githubcopilot.com',
      'api.business.githubcopilot.com',
      'api.enterprise.githubcopilot.com',
      'api.github.com',
    ],
    settings: ['mcp-config.json', 'copilot-instructions.md', 'agents', 'skills', 'hooks'],
  },
  opencode: {
    hosts: ['opencode.ai', 'models.dev'],
    settings: ['opencode.json', 'opencode.jsonc', 'AGENTS.md', 'agent', 'command', 'plugin', 'tool'],
  },
};

export function providerOf(
  { name, passEnv }: Adapter,
  env: Readonly<Record<string, string | undefined>>,
): Provider {
  const { hosts, settings } = providers[name] ?? none;
  return { settings, hosts: [...hosts, ...addressesIn(passEnv, env)] };
}

/** Another address of the vendor's, where the user's environment names one. */
function addressesIn(names: readonly string[], env: Readonly<Record<string, string | undefined>>): string[] {
  const isPassed = (name: string): boolean =>
    names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
  return Object.entries(env).flatMap(([name, value]) => {
    if (!/_(?:BASE_URL|API_BASE|ENDPOINT)$/.test(name) || !isPassed(name) || !URL.canParse(value ?? ''))
      return [];
    const { protocol, hostname, port } = new URL(value ?? '');
    return hostname === '' ? [] : [`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`];
  });
}

/** Keys to more than a model. Whoever needs one of them names it in the settings. */
const widely =
  /^(?:AWS_|AZURE_|CLOUDSDK_|GOOGLE_APPLICATION_CREDENTIALS$|GOOGLE_CLOUD_|GH_|GITHUB_|GITLAB_|GIT_|NPM_|NODE_AUTH_|SSH_)/;
const ownLogin: Readonly<Record<string, readonly string[]>> = {
  copilot: ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST'],
};

/** Which variables of the user's environment reach the agent: what its provider needs, and what the settings name. */
export function neededEnv(
  { name, passEnv }: Adapter,
  named: readonly string[],
): (variable: string) => boolean {
  const own = [...(ownLogin[name] ?? []), ...named];
  return (variable) =>
    own.includes(variable) ||
    (!widely.test(variable) &&
      passEnv.some((one) => (one.endsWith('*') ? variable.startsWith(one.slice(0, -1)) : one === variable)));
}
