import { list, record, textOf, word, type Json, type ModelRequest } from '../request.ts';
import { halves, newId, overloaded, type Output, type Reply, type Wire } from '../wire.ts';

/** Anthropic Messages: claude. */
export const messages: Wire = {
  name: 'messages',
  serves: (path) => path.endsWith('/messages'),
  read,
  answer,
  error: (status) => ({
    type: 'error',
    error: {
      type:
        { 401: 'authentication_error', 429: 'rate_limit_error', 529: 'overloaded_error' }[status] ??
        (status >= 500 ? 'api_error' : 'invalid_request_error'),
      message: `scripted failure ${status}`,
    },
  }),
};

function read(body: Json): ModelRequest {
  const turns: ModelRequest['turns'] = [];
  for (const message of list(body['messages'])) {
    const content = message['content'];
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
    if (message['role'] === 'assistant') turns.push({ role: 'assistant', text: textOf(blocks) });
    else
      for (const block of blocks)
        turns.push({ role: block['type'] === 'tool_result' ? 'tool' : 'user', text: textOf(block) });
  }
  const tools = list(body['tools']).map((tool) => word(tool['name']));
  const schema = list(body['tools']).find((tool) => tool['name'] === 'StructuredOutput')?.['input_schema'];
  const stream = body['stream'] === true;
  return { model: word(body['model']), stream, turns, tools, ...(schema !== undefined && { schema }) };
}

function answer(reply: Reply, request: ModelRequest, output: Output): boolean {
  const content: Json[] = output.text === undefined ? [] : [{ type: 'text', text: output.text }];
  for (const call of output.calls)
    content.push({
      type: 'tool_use',
      id: call.id.replace('call', 'toolu'),
      name: call.name,
      input: 'args' in call ? call.args : { input: call.input },
    });
  const stop_reason = output.calls.length > 0 ? 'tool_use' : 'end_turn';
  const { input, cached, output: out } = output.tokens;
  // This wire counts cached tokens apart from the others.
  const usage = {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: out,
  };
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  if (!request.stream) {
    reply.json(200, { ...message, content, stop_reason, usage });
    return true;
  }
  const send = (type: string, more: Json = {}): void => reply.event({ type, ...more }, type);
  send('message_start', { message });
  content.forEach((block, index) => sendBlock(send, block, index, output.dies !== undefined));
  if (output.dies !== undefined) {
    if (output.dies === 'cut') reply.cut();
    else {
      send('error', { error: { type: 'overloaded_error', message: overloaded } });
      reply.end();
    }
    return false;
  }
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop');
  reply.end();
  return true;
}

function sendBlock(
  send: (type: string, more?: Json) => void,
  block: Json,
  index: number,
  dies: boolean,
): void {
  if (block['type'] === 'text') {
    send('content_block_start', { index, content_block: { type: 'text', text: '' } });
    for (const text of halves(word(block['text']))) {
      send('content_block_delta', { index, delta: { type: 'text_delta', text } });
      if (dies) return;
    }
  } else {
    send('content_block_start', { index, content_block: { ...block, input: {} } });
    const partial_json = JSON.stringify(record(block['input']));
    send('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
  }
  if (!dies) send('content_block_stop', { index });
}
