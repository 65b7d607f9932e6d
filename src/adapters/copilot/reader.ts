import type { AgentEvent } from '../adapter.ts';
import type { Symptoms } from '../classify.ts';
import type { Finish, Reader } from '../exec.ts';
import { countIn, excerpt, fieldsIn, textIn } from '../pick.ts';

/** `--output-format json`: some 25 kinds of `{type, data}`, and last a flat `result`. */
export class CopilotReader implements Reader {
  private readonly session: string;
  private told = false;
  private text: string | undefined;
  private readonly tools = new Map<string, string>();
  private finished = false;
  private failure: Symptoms | undefined;

  /** Only the last event names the session, but we chose it. */
  constructor(session: string) {
    this.session = session;
  }

  *line(value: Record<string, unknown>): Iterable<AgentEvent> {
    if (!this.told) yield { type: 'session', id: this.session };
    this.told = true;
    const data = fieldsIn(value['data']);
    switch (value['type']) {
      case 'assistant.message': {
        const content = textIn(data['content']);
        if (!content) return;
        yield { type: 'text', text: content };
        // What a subagent says is said to the main agent.
        if (data['parentToolCallId'] === undefined) this.text = content;
        return;
      }
      case 'tool.execution_start':
        yield* this.toolStart(data);
        return;
      case 'tool.execution_complete':
        yield* this.toolEnd(data);
        return;
      case 'model.call_failure':
        yield* retried(data);
        return;
      case 'session.warning':
        yield { type: 'warning', text: textIn(data['message']) ?? 'a warning without a message' };
        return;
      case 'session.error':
        this.failure = symptoms(data);
        return;
      case 'abort':
        this.failure = { message: `it was aborted: ${textIn(data['reason']) ?? 'no reason given'}` };
        return;
      case 'result':
        this.finished = value['exitCode'] === 0;
    }
  }

  finish(): Finish {
    const finish: Finish = { finished: this.finished };
    if (this.text !== undefined) finish.text = this.text;
    // An error that it got over does not count: the run went on and ended well.
    if (this.failure && !this.finished) finish.failure = this.failure;
    return finish;
  }

  private *toolStart(data: Readonly<Record<string, unknown>>): Iterable<AgentEvent> {
    const id = textIn(data['toolCallId']) ?? '';
    const name = textIn(data['toolName']) ?? 'tool';
    this.tools.set(id, name);
    const input = excerpt(data['arguments']);
    yield { type: 'tool', phase: 'start', id, name, ...(input !== undefined && { input }) };
  }

  private *toolEnd(data: Readonly<Record<string, unknown>>): Iterable<AgentEvent> {
    const id = textIn(data['toolCallId']) ?? '';
    const name = this.tools.get(id) ?? 'tool';
    this.tools.delete(id);
    const ok = data['success'] === true;
    const error = fieldsIn(data['error']);
    const output = excerpt(fieldsIn(data['result'])['content'] ?? error['message']);
    yield { type: 'tool', phase: 'end', id, name, ok, ...(output !== undefined && { output }) };
    if (!ok && error['code'] === 'denied') yield { type: 'denied', text: `${name}: ${output ?? ''}` };
    const edits = Array.isArray(data['fileEdits']) ? data['fileEdits'] : [];
    for (const edit of ok ? edits.map(fieldsIn) : []) {
      const path = textIn(edit['path']);
      if (path !== undefined) yield { type: 'file', path, change: changes[String(edit['kind'])] ?? 'update' };
    }
  }
}

const changes: Readonly<Record<string, 'add' | 'update' | 'delete'>> = { create: 'add', delete: 'delete' };

/** It tries again by itself; a person should see why nothing happens. */
function* retried(data: Readonly<Record<string, unknown>>): Iterable<AgentEvent> {
  const message = excerpt(data['errorMessage']) ?? 'no reason given';
  if (data['statusCode'] === 429) yield { type: 'limit', message };
  else
    yield {
      type: 'warning',
      text: `a model call failed (${countIn(data['statusCode']) ?? 'no answer'}): ${message}`,
    };
}

function symptoms(data: Readonly<Record<string, unknown>>): Symptoms {
  const found: Symptoms = { message: textIn(data['message']) ?? 'an error without a message' };
  const code = textIn(data['errorType']);
  const status = countIn(data['statusCode']);
  if (code !== undefined) found.code = code;
  if (status !== undefined) found.status = status;
  return found;
}
