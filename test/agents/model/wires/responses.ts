import { list, record, textOf, word, type Json, type ModelRequest } from '../request.ts';
import {
  argumentsOf,
  halves,
  newId,
  overloaded,
  seconds,
  type Output,
  type Reply,
  type Wire,
} from '../wire.ts';

/** OpenAI Responses: codex. */
export const responses: Wire = {
  name: 'responses',
  serves: (path) => path.endsWith('/responses'),
  read,
  answer,
  error(status) {
    const code =
      { 401: 'invalid_api_key', 429: 'rate_limit_exceeded' }[status] ??
      (status >= 500 ? 'server_error' : 'invalid_request_error');
    return { error: { message: `scripted failure ${status}`, type: code, code, param: null } };
  },
};

function read(body: Json): ModelRequest {
  const turns: ModelRequest['turns'] = [];
  const input =
    typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : body['input'];
  for (const item of list(input)) {
    const type = word(item['type']) || 'message';
    const role = item['role'];
    if (type === 'message' && (role === 'user' || role === 'assistant'))
      turns.push({ role, text: textOf(item['content']) });
    else if (type.endsWith('_call')) turns.push({ role: 'assistant', text: '' });
    else if (type.endsWith('_call_output')) turns.push({ role: 'tool', text: textOf(item['output']) });
  }
  const tools = list(body['tools']).map((tool) => word(tool['name']) || word(tool['type']));
  const { schema, strict } = record(record(body['text'])['format']);
  const stream = body['stream'] === true;
  return {
    model: word(body['model']),
    stream,
    turns,
    tools,
    ...(schema !== undefined && { schema }),
    ...(strict === true && { strict }),
  };
}

function answer(reply: Reply, request: ModelRequest, output: Output): boolean {
  const items = itemsOf(output);
  const { input, cached, output: out } = output.tokens;
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: out,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + out,
  };
  const base = {
    id: newId('resp'),
    object: 'response',
    created_at: seconds(),
    model: request.model,
    status: 'in_progress',
    output: [],
    parallel_tool_calls: true,
    tools: [],
    error: null,
  };
  let number = 0;
  const send = (type: string, more: Json): void =>
    reply.event({ type, sequence_number: number++, ...more }, type);
  send('response.created', { response: base });
  if (output.dies !== undefined) {
    const message = { ...items[0], status: 'in_progress', content: [] };
    send('response.output_item.added', { output_index: 0, item: message });
    send('response.output_text.delta', {
      item_id: message.id,
      output_index: 0,
      content_index: 0,
      delta: halves(output.text ?? '')[0],
    });
    if (output.dies === 'cut') reply.cut();
    else {
      const error = { code: 'server_is_overloaded', message: overloaded };
      send('response.failed', { response: { ...base, status: 'failed', error } });
      reply.end();
    }
    return false;
  }
  items.forEach((item, index) => sendItem(send, item, index));
  send('response.completed', { response: { ...base, status: 'completed', output: items, usage } });
  reply.end();
  return true;
}

type Item = Json & { type: string; id: string; content?: Json[] };

function itemsOf(output: Output): Item[] {
  const items: Item[] = [];
  if (output.text !== undefined)
    items.push({
      type: 'message',
      id: newId('msg'),
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: output.text, annotations: [] }],
    });
  for (const call of output.calls) {
    const about = { call_id: call.id, name: call.name, status: 'completed' };
    if ('input' in call)
      items.push({ type: 'custom_tool_call', id: newId('ctc'), ...about, input: call.input });
    else items.push({ type: 'function_call', id: newId('fc'), ...about, arguments: argumentsOf(call) });
  }
  return items;
}

function sendItem(send: (type: string, more: Json) => void, item: Item, index: number): void {
  const at = { item_id: item.id, output_index: index };
  const begun = item.type === 'message' ? { ...item, status: 'in_progress', content: [] } : item;
  send('response.output_item.added', { output_index: index, item: begun });
  const part = item.content?.[0];
  if (part) {
    const text = word(part['text']);
    const here = { ...at, content_index: 0 };
    send('response.content_part.added', { ...here, part: { ...part, text: '' } });
    for (const delta of halves(text)) send('response.output_text.delta', { ...here, delta });
    send('response.output_text.done', { ...here, text });
    send('response.content_part.done', { ...here, part });
  } else if (item.type === 'function_call') {
    send('response.function_call_arguments.delta', { ...at, delta: item['arguments'] });
    send('response.function_call_arguments.done', { ...at, arguments: item['arguments'] });
  }
  send('response.output_item.done', { output_index: index, item });
}
