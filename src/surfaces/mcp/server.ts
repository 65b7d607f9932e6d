import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ServerContext,
  type Tool as Listed,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { version } from '../cli/frame/version.ts';
import type { Tool } from './tools.ts';

/** What the SDK knows of one request. */
export type CallContext = ServerContext['mcpReq'];
export type Call = (tool: Tool, input: unknown, context: CallContext) => Promise<CallToolResult>;

const instructions = `docket is the foreman of this project's work: a queue and packets that docket runs with agents, and a board of tasks that people and agents claim.
Look first (docket_list, docket_show). Claim a board task before you work on it, report progress, and report done with proof: changed files, commands and their results. docket checks; your word alone settles nothing.
Ask (docket_ask) when a person must decide, and do not decide for them: never approve, merge or vouch for a task yourself.`;

export function makeServer(tools: readonly Tool[], call: Call): Server {
  const server = new Server(
    { name: 'docket', title: 'docket', version },
    { capabilities: { tools: {} }, instructions },
  );
  const listed = tools.map(describe);
  server.setRequestHandler('tools/list', () => ({ tools: listed }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool) return call(tool, params.arguments ?? {}, mcpReq);
    const known = tools.map(({ name }) => name).join(', ');
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `there is no tool of that name; there are ${known}`,
    );
  });
  return server;
}

function describe({ name, title, description, input, output, changes, idempotent }: Tool): Listed {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations: {
      title,
      readOnlyHint: !changes,
      destructiveHint: false,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  };
}

/** Without its own address: clients read it as the draft that they know, and it is valid in each. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Listed['inputSchema'] {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { target: 'draft-7', io });
  return { ...made, type: 'object' } as Listed['inputSchema'];
}
