import type { AgentEvent, Usage } from '../adapter.ts';
import type { Symptoms } from '../classify.ts';
import type { Finish, Reader } from '../exec.ts';
import { countIn, fieldsIn, textIn } from '../pick.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The lines of our own agent. A scenario may print garbage between them, so nothing is taken on trust. */
export class ScriptReader implements Reader {
  #finish: Finish = { finished: false };

  *line(value: Fields): Iterable<AgentEvent> {
    switch (value['type']) {
      case 'done':
        this.#finish = { finished: true, ...answerOf(value) };
        return;
      case 'failure':
        this.#finish = { finished: false, failure: failureOf(value) };
        return;
      default: {
        const event = eventOf(value);
        if (event) yield event;
      }
    }
  }

  finish(): Finish {
    return this.#finish;
  }
}

function answerOf(value: Fields): Pick<Finish, 'text' | 'structured'> {
  const text = textIn(value['text']);
  const structured = value['structured'];
  return { ...(text !== undefined && { text }), ...(structured !== undefined && { structured }) };
}

function failureOf(value: Fields): Symptoms {
  const code = textIn(value['code']);
  const resetsAt = countIn(value['resetsAt']) ?? textIn(value['resetsAt']);
  return {
    message: textIn(value['message']) ?? 'it failed without words',
    ...(code !== undefined && { code }),
    ...(resetsAt !== undefined && { resetsAt }),
  };
}

function eventOf(value: Fields): AgentEvent | undefined {
  const text = textIn(value['text']);
  const id = textIn(value['id']);
  switch (value['type']) {
    case 'session':
      return id === undefined ? undefined : { type: 'session', id };
    case 'text':
      return text === undefined ? undefined : { type: 'text', text };
    case 'denied':
      return text === undefined ? undefined : { type: 'denied', text };
    case 'tool':
      return id === undefined ? undefined : toolEvent(value, id);
    case 'file':
      return fileEvent(value);
    case 'usage':
      return usageEvent(fieldsIn(value['turn']));
    default:
      return undefined;
  }
}

function toolEvent(value: Fields, id: string): AgentEvent {
  const name = textIn(value['name']) ?? 'tool';
  const input = textIn(value['input']);
  const output = textIn(value['output']);
  if (value['phase'] === 'start') {
    return { type: 'tool', phase: 'start', id, name, ...(input !== undefined && { input }) };
  }
  const ok = value['ok'] === true;
  return { type: 'tool', phase: 'end', id, name, ok, ...(output !== undefined && { output }) };
}

function fileEvent(value: Fields): AgentEvent | undefined {
  const path = textIn(value['path']);
  const change = value['change'];
  if (path === undefined || (change !== 'add' && change !== 'update' && change !== 'delete'))
    return undefined;
  return { type: 'file', path, change };
}

function usageEvent(counts: Fields): AgentEvent | undefined {
  const [input, cached, output, cost] = ['input', 'cached', 'output', 'cost'].map((key) =>
    countIn(counts[key]),
  );
  if (input === undefined || output === undefined) return undefined;
  const turn: Usage = { input, cached: cached ?? 0, output, ...(cost !== undefined && { cost }) };
  return { type: 'usage', turn };
}
