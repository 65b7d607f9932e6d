import {
  parseJSONRPCMessage,
  ProtocolErrorCode,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Sink, Source } from '../cli/frame/world.ts';
import { longestMessage } from './limits.ts';
import { Lines } from './lines.ts';

/**
 * One JSON value per line, in and out. The SDK's own transport says nothing to a line that is no message and gives up at a
 * long one; this one answers both with an error and goes on.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdin: Source;
  readonly #stdout: Sink;

  constructor({ stdin, stdout }: { stdin: Source; stdout: Sink }) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  async start(): Promise<void> {
    // Reading begins with `read`, when all is ready.
  }

  /** Until stdin ends, or somebody wants it to stop. */
  async read(stop: AbortSignal): Promise<void> {
    const lines = new Lines(longestMessage);
    stop.addEventListener('abort', () => this.#stdin.destroy?.(), { once: true });
    try {
      for await (const chunk of this.#stdin) {
        for (const line of lines.push(chunk)) this.#take(line);
        // A client that only asks fills its own pipe, not our memory.
        await this.#stdout.drained?.();
      }
      for (const line of lines.rest()) this.#take(line);
    } catch (error) {
      if (!stop.aborted) throw error; // it was given up on purpose
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#stdout.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  #take(line: string | undefined): void {
    if (line === undefined)
      return this.#refuse(ProtocolErrorCode.InvalidRequest, `a message may have ${longestMessage} bytes`);
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.#refuse(ProtocolErrorCode.ParseError, 'this line is not JSON');
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      const id = idIn(value);
      return this.#refuse(ProtocolErrorCode.InvalidRequest, 'this is no message of JSON-RPC 2.0', id);
    }
    this.onmessage?.(message);
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

function idIn(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
