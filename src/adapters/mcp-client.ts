import { shellWord } from '../errors/shell-word.ts';

/** The words that start docket's MCP server for an agent of this name. */
export interface McpStarts {
  /** On this machine, whatever folder the client stands in. */
  here: (name: string) => readonly string[];
  /** In a file that people share: every machine has its own places, and the client stands in the project. */
  shared: (name: string) => readonly string[];
}

/** How a client is told of the server. */
export interface McpClient {
  client: string;
  /** What to do with the text. */
  how: string;
  text: string;
}

export function server([command = '', ...args]: readonly string[]): { command: string; args: string[] } {
  return { command, args };
}

export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

export function tomlTable([command = '', ...args]: readonly string[]): string {
  return `[mcp_servers.docket]\ncommand = ${toml(command)}\nargs = [${args.map(toml).join(', ')}]`;
}

/** JSON's escapes are among those of a basic string. */
function toml(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', String.raw`\u007F`);
}

export function shellLine(line: readonly string[]): string {
  return line.map(shellWord).join(' ');
}
