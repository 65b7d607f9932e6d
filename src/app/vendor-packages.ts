import type { AdapterName } from '../config.ts';

/** What installs a vendor's program, by adapter. */
const packages: Partial<Record<AdapterName, string>> = {
  codex: '@openai/codex',
  claude: '@anthropic-ai/claude-code',
  gemini: '@google/gemini-cli',
  copilot: '@github/copilot',
  opencode: 'opencode-ai',
};

/** The command that installs it; undefined: it is nobody's product. */
export function installAgent(adapter: string): string | undefined {
  const name = (packages as Record<string, string>)[adapter];
  return name && `npm install -g ${name}`;
}
