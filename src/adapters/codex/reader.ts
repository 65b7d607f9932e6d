import type { AgentEvent, AgentRequest, Usage } from '../adapter.ts';
import type { Symptoms } from '../classify.ts';
import type { Finish, Reader } from '../exec.ts';
import { turnShare } from '../fold.ts';
import { countIn, fieldsIn, textIn } from '../pick.ts';
import { sessionEvent } from '../session-id.ts';
import { symptomsOf } from './errors.ts';
import { Items } from './items.ts';

type Asked = Pick<AgentRequest, 'session' | 'usedBefore' | 'schema'>;

/** The lines of `codex exec --json`. */
export class ExecReader implements Reader {
  readonly #request: Asked;
  readonly #items = new Items();
  #finished = false;
  #failure: Symptoms | undefined;

  constructor(request: Asked) {
    this.#request = request;
  }

  *line(value: Record<string, unknown>): Iterable<AgentEvent> {
    switch (value['type']) {
      case 'thread.started':
        yield sessionEvent(value['thread_id'], 'codex');
        return;
      case 'item.started':
        yield* this.#items.started(value['item']);
        return;
      case 'item.completed':
        yield* this.#items.completed(value['item']);
        return;
      case 'error':
        yield* this.#error(textIn(value['message']) ?? '');
        return;
      case 'turn.completed':
        this.#finished = true;
        this.#failure = undefined;
        yield* usageEvents(value['usage'], this.#request);
        return;
      case 'turn.failed':
        this.#failure = symptomsOf(textIn(fieldsIn(value['error'])['message']) ?? 'the turn failed');
    }
  }

  /** It says so when it tries again; what it does not get over, it says once more by `turn.failed`. */
  *#error(message: string): Iterable<AgentEvent> {
    const again = /^Reconnecting\.\.\. \d+\/\d+(?: \((?<cause>.*)\))?$/s.exec(message);
    if (again) yield retryEvent(symptomsOf(again.groups?.['cause'] ?? message));
    else this.#failure = symptomsOf(message);
  }

  finish(): Finish {
    return {
      finished: this.#finished,
      ...answerOf(this.#items.message, this.#request),
      ...(this.#failure && { failure: this.#failure }),
    };
  }
}

export function retryEvent({ message, status }: Symptoms): AgentEvent {
  if (status === 429) return { type: 'limit', message };
  return { type: 'warning', text: `codex tries again: ${message}` };
}

/** Codex counts over the whole thread, earlier runs included; a fork goes on from the count of its origin. */
function* usageEvents(value: unknown, request: Asked): Iterable<AgentEvent> {
  const counts = fieldsIn(value);
  const input = countIn(counts['input_tokens']);
  const output = countIn(counts['output_tokens']);
  if (input === undefined || output === undefined) return;
  const session: Usage = { input, cached: countIn(counts['cached_input_tokens']) ?? 0, output };
  const turn = turnShare(session, request);
  yield { type: 'usage', session, ...(turn && { turn }) };
}

/** With a schema the answer is its last message; whether it fits, nobody has checked. */
export function answerOf(
  message: string | undefined,
  request: Pick<AgentRequest, 'schema'>,
): Pick<Finish, 'text' | 'structured'> {
  if (message === undefined) return {};
  if (request.schema === undefined) return { text: message };
  try {
    const structured: unknown = JSON.parse(message);
    return typeof structured === 'object' && structured !== null
      ? { text: message, structured }
      : { text: message };
  } catch {
    return { text: message };
  }
}
