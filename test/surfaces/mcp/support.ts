import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';

export const bin = fileURLToPath(new URL('../../../bin/docket', import.meta.url));

/** The SDK's own client, at the real program. By default it begins with the handshake of 2025. */
export function connected(root: string, ...args: string[]): Promise<Client> {
  return connectedBy('legacy', root, ...args);
}

type Mode = NonNullable<NonNullable<ClientOptions['versionNegotiation']>['mode']>;

export async function connectedBy(mode: Mode, root: string, ...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', '--root', root, ...args],
    env: { ...(process.env as Record<string, string>), HOME: root },
    stderr: 'ignore',
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

/** Line by line, as somebody would who does not keep to the protocol. */
export class Wire {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<unknown[]>;
  readonly #lines: AsyncIterator<string>;

  constructor(root: string, ...args: string[]) {
    const env = { ...process.env, HOME: root };
    this.child = spawn(process.execPath, [bin, 'mcp', '--root', root, '--quiet', ...args], { env });
    this.ended = once(this.child, 'close');
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  send(...lines: (string | object)[]): this {
    for (const line of lines)
      this.child.stdin.write(
        `${typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...line })}\n`,
      );
    return this;
  }

  async next(): Promise<Answer> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the server has ended');
    return JSON.parse(value) as Answer;
  }
}

export interface Answer {
  id: number | string | null;
  result?: { isError?: boolean; content?: { text: string }[]; protocolVersion?: string };
  error?: { code: number; message: string };
}

export const hello = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
