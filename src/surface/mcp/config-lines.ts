import { shellWord } from '../../errors/shell-word.ts';

/** How a client is told of this server. */
export interface ClientConfig {
  client: string;
  /** What to do with the text. */
  how: string;
  text: string;
}

/** The words that start the server for an agent of this name. */
export interface Starts {
  /** On this machine, whatever folder the client stands in. */
  here: (name: string) => readonly string[];
  /** In a file that people share: every machine has its own places, and the client stands in the project. */
  shared: (name: string) => readonly string[];
}

export function configsFor({ here, shared }: Starts): ClientConfig[] {
  return [
    { client: 'Claude Code', how: 'run', text: `claude mcp add docket -- ${shell(here('claude'))}` },
    {
      client: 'Claude Code, for everybody with docket on PATH',
      how: 'write .mcp.json',
      text: json({ mcpServers: { docket: server(shared('claude')) } }),
    },
    { client: 'Codex', how: 'run', text: `codex mcp add docket -- ${shell(here('codex'))}` },
    {
      client: 'Codex, by hand',
      how: 'add to ~/.codex/config.toml',
      text: tomlTable(server(here('codex'))),
    },
    {
      client: 'Gemini CLI',
      how: 'add to .gemini/settings.json',
      text: json({ mcpServers: { docket: server(here('gemini')) } }),
    },
    {
      client: 'GitHub Copilot CLI',
      how: 'add to ~/.copilot/mcp-config.json',
      text: json({ mcpServers: { docket: { type: 'local', ...server(here('copilot')), tools: ['*'] } } }),
    },
    {
      client: 'opencode',
      how: 'add to opencode.json',
      text: json({ mcp: { docket: { type: 'local', command: here('opencode') } } }),
    },
  ];
}

function server([command = '', ...args]: readonly string[]): { command: string; args: string[] } {
  return { command, args };
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function tomlTable({ command, args }: { command: string; args: string[] }): string {
  return `[mcp_servers.docket]\ncommand = ${toml(command)}\nargs = [${args.map(toml).join(', ')}]`;
}

/** JSON's escapes are among those of a basic string. */
function toml(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007F`);
}

function shell(line: readonly string[]): string {
  return line.map(shellWord).join(' ');
}
