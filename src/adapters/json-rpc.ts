import type { AgentProcess } from '../io/process/process.ts';
import { fieldsIn, textIn, objectIn } from './pick.ts';

type RpcId = string | number;

/** Everything that arrives, in its order; answers to our own calls too, so that a log alone tells the story. */
export type Incoming =
  | { kind: 'request'; id: RpcId; method: string; params: unknown }
  | { kind: 'notice'; method: string; params: unknown }
  | { kind: 'result'; result: unknown }
  | { kind: 'error'; error: RpcError }
  | { kind: 'stray'; text: string };

/** The other side's own words for why it did not do what it was asked. */
export class RpcError extends Error {
  readonly code: number | undefined;
  readonly data: unknown;

  constructor(value: unknown) {
    const { message, code, data } = fieldsIn(value);
    super(textIn(message) ?? 'an error without words');
    this.name = 'RpcError';
    this.code = typeof code === 'number' ? code : undefined;
    this.data = data;
  }
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** One JSON value per line, both sides may call. Whoever reads `messages` keeps our own calls going. */
export class JsonRpc {
  readonly #child: Pick<AgentProcess, 'lines' | 'send'>;
  readonly #waiting = new Map<RpcId, Waiting>();
  #calls = 0;
  #over = false;

  constructor(child: Pick<AgentProcess, 'lines' | 'send'>) {
    this.#child = child;
  }

  async call(method: string, params: unknown): Promise<unknown> {
    if (this.#over) throw new Error(`${method} was not sent: nobody is there any more`);
    this.#calls += 1;
    const id = this.#calls;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    // Whichever comes first decides; the other one must not be left without somebody who listens.
    answer.catch(() => undefined);
    await this.#send({ id, method, params });
    return answer;
  }

  notify(method: string): Promise<void> {
    return this.#send({ method });
  }

  answer(id: RpcId, result: unknown): Promise<void> {
    return this.#send({ id, result });
  }

  /** `-32601` is JSON-RPC's code for a method that this side does not have. */
  refuse(id: RpcId, message: string, code = -32601): Promise<void> {
    return this.#send({ id, error: { code, message } });
  }

  async *messages(): AsyncIterable<Incoming> {
    try {
      for await (const line of this.#child.lines()) {
        if (line.cut !== undefined) yield { kind: 'stray', text: `a line of ${line.cut} bytes was too long` };
        else if (line.text.trim() !== '') yield this.#take(line.text);
      }
    } finally {
      this.#over = true;
      for (const { reject } of this.#waiting.values()) reject(new Error('it ended before it answered'));
      this.#waiting.clear();
    }
  }

  #take(text: string): Incoming {
    const value = objectIn(text.trimStart());
    if (value === undefined) return { kind: 'stray', text };
    const { method, params } = value;
    const id = idIn(value['id']);
    if (typeof method === 'string') {
      return id === undefined ? { kind: 'notice', method, params } : { kind: 'request', id, method, params };
    }
    if (id === undefined || !('result' in value || 'error' in value)) return { kind: 'stray', text };
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if ('error' in value) {
      const error = new RpcError(value['error']);
      waiting?.reject(error);
      return { kind: 'error', error };
    }
    waiting?.resolve(value['result']);
    return { kind: 'result', result: value['result'] };
  }

  #send(message: object): Promise<void> {
    return this.#child.send(`${JSON.stringify(message)}\n`);
  }
}

function idIn(value: unknown): RpcId | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
