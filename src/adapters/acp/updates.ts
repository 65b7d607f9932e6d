import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent } from '../adapter.ts';
import type { Rule, Symptoms } from '../classify.ts';

const longest = 2000;

/** What an ACP agent tells while it works. Keeps the text since the last tool: that is the answer. */
export class Updates {
  readonly #open = new Map<string, string>();
  #answer = '';

  get answer(): string {
    return this.#answer;
  }

  *read(update: SessionUpdate): Iterable<AgentEvent> {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type !== 'text') return;
        this.#answer += update.content.text;
        yield { type: 'text', text: update.content.text };
        return;
      case 'tool_call': {
        const name = update.kind ?? 'tool';
        this.#answer = '';
        this.#open.set(update.toolCallId, name);
        yield { type: 'tool', phase: 'start', id: update.toolCallId, name, input: brief(update.title) };
        yield* this.#ended(update.toolCallId, update.status, update.content);
        return;
      }
      case 'tool_call_update':
        yield* this.#ended(update.toolCallId, update.status, update.content);
        return;
      default:
    }
  }

  *#ended(
    id: string,
    status: string | null | undefined,
    content: Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>['content'],
  ): Iterable<AgentEvent> {
    const name = this.#open.get(id);
    if (name === undefined || (status !== 'completed' && status !== 'failed')) return;
    this.#open.delete(id);
    for (const part of content ?? []) {
      if (part.type !== 'diff' || status === 'failed') continue;
      yield {
        type: 'file',
        path: part.path,
        change: part.oldText === undefined || part.oldText === null ? 'add' : 'update',
      };
    }
    yield { type: 'tool', phase: 'end', id, name, ok: status === 'completed' };
  }
}

function brief(text: string): string {
  return text.slice(0, longest);
}

/** JSON-RPC codes that ACP agents answer with; some put the HTTP status there. */
export const acpErrors: readonly Rule[] = [
  { code: 'refusal', class: 'refused' },
  { code: '-32000', class: 'auth' },
  { code: '-32002', class: 'unknown', newSession: true },
  { code: '-32601', class: 'tooling' },
  { code: '-32602', class: 'tooling' },
  { text: /^(Error: )?.*\b(rate limit|too many requests|429)\b/i, class: 'limit' },
  { text: /\b(ECONNRESET|ECONNREFUSED|ETIMEDOUT|socket hang up|overloaded)\b/i, class: 'transient' },
];

/** What a rejected request says. */
export function symptomsOf(error: unknown): Symptoms {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  const details = data === undefined ? '' : ` ${JSON.stringify(data)}`;
  const text = `${typeof message === 'string' ? message : String(error)}${details}`.slice(0, 2000);
  const status = typeof code === 'number' && code >= 100 && code <= 599 ? code : statusIn(text);
  return {
    message: text,
    ...(typeof code === 'number' && { code: String(code) }),
    ...(status !== undefined && { status }),
  };
}

/** Some agents end the turn well and give the error as their answer. */
export function errorInAnswer(text: string): Symptoms | undefined {
  // Copilot tells its retries in the same way, and nothing stands between the two.
  const message = text.replace(/^(Info: [^\n]*?Retrying\.\.\.\s*)+/, '');
  if (!message.startsWith('Error: ') || message.length > 1000) return undefined;
  const status = statusIn(message);
  return { message, ...(status !== undefined && { status }) };
}

function statusIn(text: string): number | undefined {
  // A number may be a port or a length: one that is called a status is surer.
  const found =
    /\b(?:HTTP|status)\W{0,3}(?:code\W{0,3})?([45]\d\d)\b/i.exec(text) ?? /\b([45]\d\d)\b/.exec(text);
  const status = found?.[1];
  return status === undefined ? undefined : Number(status);
}
