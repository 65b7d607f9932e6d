import type { AgentEvent } from '../adapter.ts';
import type { Symptoms } from '../classify.ts';
import type { Finish, Reader } from '../exec.ts';
import { countIn, excerpt, fieldsIn, textIn } from '../pick.ts';

/** `run --format json`: step_start, text, tool_use (when it is over), step_finish, error; all name the session. */
export class OpencodeReader implements Reader {
  private session: string | undefined;
  /** What was said in the step that is going on: the last step's is the answer. */
  private said: string[] = [];
  private reason: string | undefined;
  private failure: Symptoms | undefined;

  *line(value: Record<string, unknown>): Iterable<AgentEvent> {
    const session = textIn(value['sessionID']);
    if (session !== undefined && this.session === undefined) {
      this.session = session;
      yield { type: 'session', id: session };
    }
    const part = fieldsIn(value['part']);
    switch (value['type']) {
      case 'step_start':
        this.said = [];
        this.reason = undefined;
        return;
      case 'text': {
        const text = textIn(part['text']);
        if (!text) return;
        this.said.push(text);
        yield { type: 'text', text };
        return;
      }
      case 'tool_use':
        yield* tool(part);
        return;
      case 'step_finish':
        this.reason = textIn(part['reason']);
        yield* usage(part);
        return;
      case 'error':
        this.failure = symptoms(fieldsIn(value['error']));
    }
  }

  finish(): Finish {
    const finish: Finish = { finished: this.reason === 'stop' && this.failure === undefined };
    if (this.said.length > 0) finish.text = this.said.join('\n\n');
    const failure = this.failure ?? cutShort(this.reason);
    if (failure) finish.failure = failure;
    return finish;
  }
}

/** A last step that neither went on nor came to its end. */
function cutShort(reason: string | undefined): Symptoms | undefined {
  if (reason === 'length')
    return { message: 'the model stopped at the longest answer it may give', code: reason };
  if (reason === 'content-filter') return { message: 'the answer was withheld by a filter', code: reason };
  return undefined;
}

function* tool(part: Readonly<Record<string, unknown>>): Iterable<AgentEvent> {
  const id = textIn(part['callID']) ?? '';
  const name = textIn(part['tool']) ?? 'tool';
  const state = fieldsIn(part['state']);
  const ok = state['status'] === 'completed';
  const input = excerpt(state['input']);
  const output = excerpt(ok ? state['output'] : state['error']);
  // One event tells of both ends, when all is over.
  yield { type: 'tool', phase: 'start', id, name, ...(input !== undefined && { input }) };
  yield { type: 'tool', phase: 'end', id, name, ok, ...(output !== undefined && { output }) };
  if (!ok && denial.test(output ?? '')) yield { type: 'denied', text: `${name}: ${output ?? ''}` };
  if (!ok || !editors.has(name)) return;
  const path = textIn(fieldsIn(state['input'])['filePath']);
  const isNew = fieldsIn(state['metadata'])['exists'] === false;
  if (path !== undefined) yield { type: 'file', path, change: isNew ? 'add' : 'update' };
}

const editors = new Set(['write', 'edit']);
const denial =
  /^(The user (has specified a rule which prevents|rejected permission)|Model tried to call unavailable tool)/;

/** Of one step. `input` leaves out what came from the cache; thoughts are counted apart and paid for as output. */
function* usage(part: Readonly<Record<string, unknown>>): Iterable<AgentEvent> {
  const tokens = fieldsIn(part['tokens']);
  const fresh = countIn(tokens['input']);
  if (fresh === undefined) return;
  const cache = fieldsIn(tokens['cache']);
  const cached = countIn(cache['read']) ?? 0;
  const input = fresh + cached + (countIn(cache['write']) ?? 0);
  const output = (countIn(tokens['output']) ?? 0) + (countIn(tokens['reasoning']) ?? 0);
  const cost = countIn(part['cost']);
  // Nothing is what it says of a model whose price it does not know.
  yield { type: 'usage', turn: { input, cached, output, ...(cost && { cost }) } };
}

function symptoms(error: Readonly<Record<string, unknown>>): Symptoms {
  const data = fieldsIn(error['data']);
  const name = textIn(error['name']);
  const found: Symptoms = { message: textIn(data['message']) ?? name ?? 'an error without a message' };
  const status = countIn(data['statusCode']);
  if (status !== undefined) found.status = status;
  if (name !== undefined) found.code = name === 'APIError' && retryable(data) ? 'retryable' : name;
  const after = textIn(fieldsIn(data['responseHeaders'])['retry-after']);
  if (after !== undefined) found.retryAfter = after;
  return found;
}

/** Only where there is no status: a 429 can be tried again, too, and is a limit nevertheless. */
function retryable(data: Readonly<Record<string, unknown>>): boolean {
  return data['isRetryable'] === true && countIn(data['statusCode']) === undefined;
}
