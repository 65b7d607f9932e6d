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
import { responses } from './responses.ts';

/** OpenAI Chat Completions: copilot and opencode. */
export const chat: Wire = {
  name: 'chat',
  serves: (path) => path.endsWith('/chat/completions'),
  read,
  answer,
  error: (status) => responses.error(status),
};

function read(body: Json): ModelRequest {
  const turns: ModelRequest['turns'] = [];
  for (const message of list(body['messages'])) {
    const role = message['role'];
    if (role === 'user' || role === 'assistant' || role === 'tool')
      turns.push({ role, text: textOf(message['content']) });
  }
  const tools = list(body['tools']).map((tool) => word(record(tool['function'])['name']));
  const schema = record(record(body['response_format'])['json_schema'])['schema'];
  const stream = body['stream'] === true;
  return { model: word(body['model']), stream, turns, tools, ...(schema !== undefined && { schema }) };
}

function answer(reply: Reply, request: ModelRequest, output: Output, body: Json): boolean {
  const { input, cached, output: out } = output.tokens;
  const usage = {
    prompt_tokens: input,
    completion_tokens: out,
    total_tokens: input + out,
    prompt_tokens_details: { cached_tokens: cached },
  };
  const calls = output.calls.map((call, index) => ({
    index,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: argumentsOf(call) },
  }));
  const reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const base = { id: newId('chatcmpl'), created: seconds(), model: request.model };
  const called = calls.length > 0 ? { tool_calls: calls } : {};
  if (!request.stream) {
    const message = { role: 'assistant', content: output.text ?? null, ...called };
    const choices = [{ index: 0, finish_reason: reason, message }];
    reply.json(200, { ...base, object: 'chat.completion', usage, choices });
    return true;
  }
  const chunk = (choices: Json[], more: Json = {}): void =>
    reply.event({ ...base, object: 'chat.completion.chunk', choices, ...more });
  const delta = (delta: Json, finish: string | null = null): void =>
    chunk([{ index: 0, delta, finish_reason: finish }]);
  delta({ role: 'assistant', content: '' });
  const pieces = output.text === undefined ? [] : halves(output.text);
  if (output.dies !== undefined) {
    delta({ content: pieces[0] ?? '' });
    if (output.dies === 'cut') reply.cut();
    else {
      reply.event({ error: { message: overloaded, type: 'overloaded_error', code: 503 } });
      reply.end();
    }
    return false;
  }
  for (const content of pieces) delta({ content });
  if (calls.length > 0) delta(called);
  delta({}, reason);
  const told = record(body['stream_options'])['include_usage'] === true;
  if (told) chunk([], { usage });
  reply.event('[DONE]');
  reply.end();
  return told;
}
