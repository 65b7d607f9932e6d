import { loadVendors } from '../../adapters/adapters.ts';
import type { McpClient, McpStarts } from '../../adapters/vendor.ts';

/** How each client is told of docket's MCP server, by the names of the clients. */
export async function mcpClients(starts: McpStarts): Promise<McpClient[]> {
  const clients = (await loadVendors()).flatMap((vendor) => vendor.mcpClients(starts));
  return clients.toSorted((a, b) => (a.client < b.client ? -1 : 1));
}
