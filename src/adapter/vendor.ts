import type { Adapter, AgentRequest } from './adapter.ts';
import type { McpClient, McpStarts } from './mcp-client.ts';

/** All that docket knows about the agent of one vendor. How it is run is loaded when it is run. */
export interface Vendor extends Adapter {
  readonly program: string;
  readonly hosts: readonly string[];
  readonly settings: readonly string[];
  readLog: NonNullable<Adapter['readLog']>;
  /** The npm package that installs it. */
  readonly package: string;
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
