import type { AgentEvent, AgentRequest, Usage } from '../adapter.ts';
import type { Symptoms } from '../classify.ts';
import type { Finish, Reader } from '../exec.ts';
import { countIn, excerpt, type Fields, fieldsIn, textIn } from '../pick.ts';
import { sessionEvent } from '../session-id.ts';

const editors = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

/** The tool that carries the answer to a schema: it is the answer, not work. */
const answerTool = 'StructuredOutput';

/** Tool calls from their beginning to their result, and what they did to files. */
export class Tools {
  readonly #open = new Map<string, { name: string; path?: string }>();

  *started(block: Fields): Iterable<AgentEvent> {
    const id = textIn(block['id']);
    const name = textIn(block['name']);
    if (id === undefined || name === undefined || name === answerTool) return;
    const fields = fieldsIn(block['input']);
    const path = editors.has(name) ? textIn(fields['file_path'] ?? fields['notebook_path']) : undefined;
    this.#open.set(id, { name, ...(path !== undefined && { path }) });
    const input = excerpt(textIn(fields['command']) ?? path ?? block['input']);
    yield { type: 'tool', phase: 'start', id, name, ...(input !== undefined && { input }) };
  }

  /** `detail` is what the CLI itself knows about the result, beside the text for the model. */
  *ended(block: Fields, detail: Fields): Iterable<AgentEvent> {
    const id = textIn(block['tool_use_id']) ?? '';
    const tool = this.#open.get(id);
    if (tool === undefined) return;
    this.#open.delete(id);
    const ok = block['is_error'] !== true;
    const output = excerpt(textOf(block['content']));
    yield {
      type: 'tool',
      phase: 'end',
      id,
      name: tool.name,
      ok,
      ...(output !== undefined && { output }),
    };
    if (ok && tool.path !== undefined) {
      const change = detail['type'] === 'create' ? 'add' : 'update';
      yield { type: 'file', path: tool.path, change };
    }
  }
}

function textOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((block) => textIn(fieldsIn(block)['text']) ?? '').join('\n');
}

/** The lines of `claude -p --output-format stream-json --verbose`. */
export class StreamReader implements Reader {
  readonly #request: Pick<AgentRequest, 'session' | 'usedBefore'>;
  readonly #tools = new Tools();
  readonly #denied = new Set<string>();
  #finish: Finish = { finished: false };
  #limit: Pick<Symptoms, 'code' | 'resetsAt'> | undefined;

  constructor(request: Pick<AgentRequest, 'session' | 'usedBefore'>) {
    this.#request = request;
  }

  *line(value: Record<string, unknown>): Iterable<AgentEvent> {
    switch (value['type']) {
      case 'system':
        yield* this.#system(value);
        return;
      case 'assistant':
        yield* this.#assistant(value);
        return;
      case 'user':
        for (const block of blocksOf(value))
          if (block['type'] === 'tool_result')
            yield* this.#tools.ended(block, fieldsIn(value['tool_use_result']));
        return;
      case 'rate_limit_event':
        yield* this.#limits(fieldsIn(value['rate_limit_info']));
        return;
      case 'result':
        yield* this.#result(value);
    }
  }

  finish(): Finish {
    return this.#finish;
  }

  *#system(value: Fields): Iterable<AgentEvent> {
    switch (value['subtype']) {
      case 'init':
        yield sessionEvent(value['session_id'], 'claude');
        return;
      case 'api_retry':
        yield retryEvent(value);
        return;
      case 'permission_denied':
        this.#denied.add(textIn(value['tool_use_id']) ?? '');
        yield deniedEvent(value, value['message']);
    }
  }

  /** What the CLI itself says about an error of the API looks like an answer; it comes again in the result. */
  *#assistant(value: Fields): Iterable<AgentEvent> {
    if (value['is_api_error_message'] === true) return;
    for (const block of blocksOf(value)) {
      const text = textIn(block['text']);
      if (block['type'] === 'text' && text !== undefined) yield { type: 'text', text };
      if (block['type'] === 'tool_use') yield* this.#tools.started(block);
    }
  }

  /** Only the status above the windows says that requests are refused; extra usage may go on beyond it. */
  *#limits(info: Fields): Iterable<AgentEvent> {
    if (info['status'] !== 'rejected' || info['isUsingOverage'] === true) {
      this.#limit = undefined;
      return;
    }
    const resetsAt = countIn(info['resetsAt']);
    this.#limit = { code: 'rate_limit', ...(resetsAt !== undefined && { resetsAt }) };
    const kind = textIn(info['rateLimitType'])?.replaceAll('_', ' ') ?? 'usage';
    yield {
      type: 'limit',
      message: `the ${kind} limit is reached`,
      ...(resetsAt !== undefined && { resetAt: new Date(resetsAt * 1000).toISOString() }),
    };
  }

  *#result(value: Fields): Iterable<AgentEvent> {
    for (const denial of listOf(value['permission_denials'])) {
      if (this.#denied.has(textIn(denial['tool_use_id']) ?? '')) continue;
      yield deniedEvent(denial, excerpt(denial['tool_input']));
    }
    const usage = usageOf(value, this.#request);
    if (usage.turn || usage.session) yield { type: 'usage', ...usage };
    const text = textIn(value['result']);
    const failure = this.#failure(value, text);
    const structured = value['structured_output'];
    this.#finish = {
      finished: failure === undefined,
      ...(text !== undefined && failure === undefined && { text }),
      ...(structured !== undefined && failure === undefined && { structured }),
      ...(failure && { failure }),
    };
  }

  /** `is_error` decides; `subtype` says "success" even when the API refused. */
  #failure(value: Fields, text: string | undefined): Symptoms | undefined {
    if (value['is_error'] === false) {
      if (value['stop_reason'] !== 'refusal') return undefined;
      return { code: 'refusal', message: text || 'the model declined' };
    }
    const status = countIn(value['api_error_status']);
    const code = textIn(value['api_error_type']) ?? textIn(value['subtype']);
    const told = Array.isArray(value['errors']) ? value['errors'].filter((e) => typeof e === 'string') : [];
    return {
      message: text || told.join('; ') || code || 'it failed without words',
      ...(code !== undefined && code !== 'success' && { code }),
      ...(status !== undefined && { status }),
      ...this.#limit,
    };
  }
}

function retryEvent(value: Fields): AgentEvent {
  const status = countIn(value['error_status']);
  const seconds = Math.ceil((countIn(value['retry_delay_ms']) ?? 0) / 1000);
  const why = `${textIn(value['error']) ?? 'error'}${status === undefined ? '' : ` ${status}`}`;
  const message = `${why}; claude tries again in ${seconds} s`;
  return status === 429 ? { type: 'limit', message } : { type: 'warning', text: message };
}

function deniedEvent(value: Fields, detail: unknown): AgentEvent {
  return {
    type: 'denied',
    text: [textIn(value['tool_name']) ?? 'a tool', textIn(detail)].filter(Boolean).join(': '),
  };
}

function blocksOf(value: Fields): Fields[] {
  return listOf(fieldsIn(value['message'])['content']);
}

function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsIn) : [];
}

type Asked = Pick<AgentRequest, 'session' | 'usedBefore'>;

/** A result counts three times: this run, all models with their costs since the last result, and the session so far. */
export function usageOf(result: Fields, request: Asked): { turn?: Usage; session?: Usage } {
  // Empty after an error: nothing was added up, which does not mean that the session has cost nothing.
  const models = fieldsIn(result['modelUsage']);
  const session = Object.keys(models).length === 0 ? undefined : byModel(models);
  const total = countIn(result['total_cost_usd']);
  if (session && total !== undefined) session.cost = total;
  const turn = byModel(result['model_usage_since_last_result']) ?? ofRun(result, total, request);
  return { ...(turn && { turn }), ...(session && { session }) };
}

/** Sub-agents and helper models included, which `usage` leaves out. The cost is known where it is for each of them. */
function byModel(value: unknown): Usage | undefined {
  if (value === undefined) return undefined;
  const models = Object.values(fieldsIn(value)).map(fieldsIn);
  const sum = (...names: string[]): number =>
    models.reduce((so, model) => names.reduce((n, name) => n + count(model[name]), so), 0);
  const cached = sum('cacheReadInputTokens');
  return {
    input: cached + sum('inputTokens', 'cacheCreationInputTokens'),
    cached,
    output: sum('outputTokens'),
    ...(models.every((model) => countIn(model['costUSD']) !== undefined) && { cost: sum('costUSD') }),
  };
}

/** Older versions: tokens of this run, but a cost that runs over the whole session. */
function ofRun(result: Fields, total: number | undefined, request: Asked): Usage | undefined {
  if (result['usage'] === undefined) return undefined;
  const usage = fieldsIn(result['usage']);
  const cached = count(usage['cache_read_input_tokens']);
  const turn: Usage = {
    input: count(usage['input_tokens']) + cached + count(usage['cache_creation_input_tokens']),
    cached,
    output: count(usage['output_tokens']),
  };
  const before = request.session.kind === 'new' ? 0 : request.usedBefore?.cost;
  if (total !== undefined && before !== undefined) turn.cost = total - before;
  return turn;
}

function count(value: unknown): number {
  return countIn(value) ?? 0;
}
