import type { Adapter, AgentRequest } from './adapter.ts';
import type { VendorName } from './adapters.ts';
import type { McpClient, McpStarts } from './mcp-client.ts';
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
