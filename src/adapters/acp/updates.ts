import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent } from '../adapter.ts';

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
