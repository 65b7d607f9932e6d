import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { locate, record, type Json, type ModelRequest } from './request.ts';
import { usualTokens, type Scenario, type Step, type Tokens } from './step.ts';
import { strictFault } from './strict-schema.ts';
import { callFor, type ToolCall } from './tools.ts';
import { newId, replyTo, type Output, type Wire } from './wire.ts';
import { chat } from './wires/chat.ts';
import { gemini } from './wires/gemini.ts';
import { messages } from './wires/messages.ts';
import { responses } from './wires/responses.ts';

/** What arrived, and what was said to it. */
interface Recorded extends ModelRequest {
  wire: string;
  /** The scenario's name in the last marked user message. */
  name?: string;
  step: number;
  /** The markers of all user messages: what history the CLI really sent. */
  seen: string[];
  /** The tools that were called in the answer, and the actions for which the CLI offered none. */
  called: string[];
  missing: string[];
  /** What was reported for it; absent: nothing, because it failed or nobody asked. */
  tokens?: Tokens;
}

export interface Model {
  readonly url: string;
  /** Requests to a model, in the order of their coming. */
  readonly requests: readonly Recorded[];
  /** Whatever else was asked for: `GET /v1/models`. */
  readonly others: readonly string[];
  /** What the server reported in all, since a point in `requests`. */
  counted(from?: number): Tokens;
  /** Waits until a request of that name has come. */
  arrived(name: string): Promise<void>;
  close(): Promise<void>;
}

const wires: readonly Wire[] = [responses, chat, messages, gemini];

/** A model that says what it is told to, in the vendors' own protocols, on loopback only. */
export async function startModel(scenario: Scenario): Promise<Model> {
  const requests: Recorded[] = [];
  const others: string[] = [];
  const used = new Map<string, number>();
  let told: (() => void)[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    const body = await bodyOf(request);
    const reply = replyTo(response);
    const wire = request.method === 'POST' ? wires.find((candidate) => candidate.serves(path)) : undefined;
    if (!wire) {
      others.push(`${request.method} ${path}`);
      return reply.json(...besides(path));
    }
    const read = wire.read(body, path);
    const where = locate(read.turns);
    const recorded: Recorded = { ...read, wire: wire.name, ...where, called: [], missing: [] };
    requests.push(recorded);
    for (const tell of told) tell();
    const fault = read.strict && strictFault(read.schema);
    if (fault !== undefined) return reply.json(400, fault);
    const step = await stepFor(recorded);
    if (step.hang) return;
    if (step.status !== undefined)
      return reply.json(step.status, wire.error(step.status, step.headers), step.headers);
    if (step.dies !== undefined && !read.stream)
      return step.dies === 'cut' ? reply.cut() : reply.json(503, wire.error(503));
    const output = outputOf(step, recorded);
    if (wire.answer(reply, read, output, body)) recorded.tokens = output.tokens;
  }

  async function stepFor(request: Recorded): Promise<Step> {
    const steps = request.name === undefined ? undefined : scenario[request.name];
    // Titles and summaries, asked for beside the work: no tools, so no part in the play.
    if (!steps) return { text: `no scenario "${request.name ?? ''}"` };
    let step = steps[Math.min(request.step, steps.length - 1)] ?? {};
    if (step.times !== undefined) {
      const key = `${request.name}#${request.step}`;
      const before = used.get(key) ?? 0;
      used.set(key, before + 1);
      if (before >= step.times) step = step.after ?? { text: 'recovered' };
    }
    if (step.delayMs !== undefined) await sleep(step.delayMs);
    return step;
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      others.push(`failed: ${String(error)}`);
      response.destroy();
    });
  });
  // Never let go of a line: a client that comes back after its pause would find it closing, and take that for a failure.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    others,
    counted(from = 0) {
      const sum = { input: 0, cached: 0, output: 0 };
      for (const { tokens } of requests.slice(from)) {
        sum.input += tokens?.input ?? 0;
        sum.cached += tokens?.cached ?? 0;
        sum.output += tokens?.output ?? 0;
      }
      return sum;
    },
    arrived: (name) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!requests.some((request) => request.name === name)) return;
          told = told.filter((other) => other !== look);
          resolve();
        };
        told.push(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function outputOf(step: Step, request: Recorded): Output {
  const tokens = { ...usualTokens, ...step.tokens };
  const calls: ToolCall[] = [];
  // A request without tools is a side request: it never gets a scripted call.
  for (const action of request.tools.length > 0 ? (step.do ?? []) : []) {
    const call = callFor(action, request.tools);
    if (call) calls.push({ id: newId('call'), ...call });
    else request.missing.push(Object.keys(action).join());
  }
  let text = step.text?.replaceAll('{{seen}}', request.seen.join(','));
  if (step.structured) {
    const byTool = request.tools.includes('StructuredOutput');
    if (byTool) calls.push({ id: newId('call'), name: 'StructuredOutput', args: step.structured });
    else text = JSON.stringify(step.structured);
  }
  if (request.missing.length > 0) text ??= `no tool for ${request.missing.join(', ')}`;
  request.called = calls.map(({ name }) => name);
  if (calls.length === 0) text ??= 'ok';
  return { calls, tokens, ...(text !== undefined && { text }), ...(step.dies && { dies: step.dies }) };
}

/** What some CLIs ask for beside the model. */
function besides(path: string): [status: number, body: Json] {
  if (path.endsWith('/models'))
    return [
      200,
      { object: 'list', data: [{ id: 'fake-model', object: 'model', owned_by: 'fake' }], models: [] },
    ];
  if (/count_?tokens$/i.test(path)) return [200, { totalTokens: 10, input_tokens: 10 }];
  return [404, { error: { message: `the scripted model knows no ${path}` } }];
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  if (raw.length === 0) return {};
  return record(JSON.parse(inflated(raw, request.headers['content-encoding']).toString('utf8')));
}

function inflated(raw: Buffer, encoding: string | undefined): Buffer {
  if (encoding === undefined || encoding === 'identity') return raw;
  if (encoding === 'gzip') return gunzipSync(raw);
  if (encoding === 'deflate') return inflateSync(raw);
  if (encoding === 'br') return brotliDecompressSync(raw);
  throw new Error(`the scripted model cannot read the content encoding ${encoding}`);
}
