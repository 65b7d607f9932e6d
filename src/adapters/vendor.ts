import { shellWord } from '../errors/shell-word.ts';
import type { Adapter, AgentRequest } from './adapter.ts';
import type { VendorName } from './adapters.ts';
import type { KnownTools } from './tool-use.ts';

/** All that docket knows about the agent of one vendor. How it is run is loaded when it is run. */
export interface Vendor extends Adapter {
  readonly name: VendorName;
  readonly program: string;
  readonly hosts: readonly string[];
  readonly settings: readonly string[];
  readonly tools: KnownTools;
  readLog: NonNullable<Adapter['readLog']>;
  /** The npm package that installs it. */
  readonly package: string;
  /** The file in a project that it reads instead of AGENTS.md; a line `@AGENTS.md` in it leads there. */
  readonly instructions?: string;
  /** It looks for skills in its own folder only, not in .agents. */
  readonly ownSkills?: true;
  /** How its client is told of docket's MCP server. */
  mcpClients(starts: McpStarts): readonly McpClient[];
}

export function lazily(load: () => Promise<Pick<Adapter, 'run'>>): Adapter['run'] {
  return async function* (request, host) {
    const { run } = await load();
    yield* run(request, host);
  };
}

/** For a reader of what an earlier turn printed. */
export const pastTurn: Pick<AgentRequest, 'session'> = { session: { kind: 'new' } };

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
