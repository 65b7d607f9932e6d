import type { ServerResponse } from 'node:http';
import type { Json, ModelRequest } from './request.ts';
import type { Step, Tokens } from './step.ts';
import type { ToolCall } from './tools.ts';

/** What the model says, whatever the wire. */
export interface Output {
  text?: string;
  calls: ToolCall[];
  tokens: Tokens;
  dies?: Step['dies'];
}

/** One vendor's protocol. */
export interface Wire {
  readonly name: string;
  serves(path: string): boolean;
  read(body: Json, path: string): ModelRequest;
  /** Answers, and tells whether the tokens were reported. */
  answer(reply: Reply, request: ModelRequest, output: Output, body: Json): boolean;
  error(status: number, headers?: Readonly<Record<string, string>>): Json;
}

/** An HTTP answer that is written piece by piece. */
export interface Reply {
  json(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  /** One server-sent event; the first one sends the head. */
  event(data: unknown, name?: string): void;
  end(): void;
  /** Breaks the line, after what was written has left. */
  cut(): void;
}

export function replyTo(response: ServerResponse): Reply {
  return {
    json(status, body, headers = {}) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    },
    event(data, name) {
      if (!response.headersSent)
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`);
    },
    end: () => void response.end(),
    cut() {
      if (!response.headersSent) response.destroy();
      // A write is called back when all of it is with the kernel.
      else response.write(' ', () => response.destroy());
    },
  };
}

/** What they say when they have too much to do. */
export const overloaded = 'The model is overloaded. Please try again later.';

let made = 0;

/** Ids that no two answers share, also of two servers in one process. */
export function newId(prefix: string): string {
  made += 1;
  return `${prefix}_${Date.now().toString(36)}${made.toString(36).padStart(4, '0')}`;
}

export const seconds = (): number => Math.floor(Date.now() / 1000);

/** A text in two pieces, as a stream would bring it. */
export function halves(text: string): string[] {
  const middle = text.length >> 1;
  return middle === 0 ? [text] : [text.slice(0, middle), text.slice(middle)];
}

export const argumentsOf = (call: ToolCall): string =>
  JSON.stringify('args' in call ? call.args : { input: call.input });
