import { list, record, word, type Json, type ModelRequest } from '../request.ts';
import { halves, overloaded, type Output, type Reply, type Wire } from '../wire.ts';

/** Gemini's generateContent: gemini. */
export const gemini: Wire = {
  name: 'gemini',
  serves: (path) => /:(stream)?[gG]enerateContent$/.test(path),
  read,
  answer,
  error(status, headers = {}) {
    const names: Record<number, string> = {
      400: 'INVALID_ARGUMENT',
      401: 'UNAUTHENTICATED',
      403: 'PERMISSION_DENIED',
      429: 'RESOURCE_EXHAUSTED',
      503: 'UNAVAILABLE',
    };
    const error = {
      code: status,
      message: `scripted failure ${status}`,
      status: names[status] ?? 'INTERNAL',
    };
    // This vendor says in the body, not in a header, how long to wait.
    if (headers['retry-after'] === undefined) return { error };
    const type = 'type.googleapis.com/google.rpc.RetryInfo';
    return { error: { ...error, details: [{ '@type': type, retryDelay: `${headers['retry-after']}s` }] } };
  },
};

function read(body: Json, path: string): ModelRequest {
  const turns: ModelRequest['turns'] = [];
  for (const content of list(body['contents']))
    for (const part of list(content['parts'])) {
      if (content['role'] === 'model') turns.push({ role: 'assistant', text: word(part['text']) });
      else if (part['functionResponse'] !== undefined)
        turns.push({ role: 'tool', text: JSON.stringify(record(part['functionResponse'])['response']) });
      else turns.push({ role: 'user', text: word(part['text']) });
    }
  const tools = list(body['tools']).flatMap((tool) =>
    list(tool['functionDeclarations']).map((declared) => word(declared['name'])),
  );
  const schema = record(body['generationConfig'])['responseJsonSchema'];
  return {
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    stream: path.includes(':streamGenerateContent'),
    turns,
    tools,
    ...(schema !== undefined && { schema }),
  };
}

function answer(reply: Reply, request: ModelRequest, output: Output): boolean {
  const { input, cached, output: out } = output.tokens;
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: out,
    totalTokenCount: input + out,
    cachedContentTokenCount: cached,
  };
  const frame = (parts: Json[], last: boolean): Json => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(last && { finishReason: 'STOP' }) }],
    modelVersion: request.model,
    responseId: 'scripted',
    ...(last && { usageMetadata }),
  });
  const texts = (output.text === undefined ? [] : halves(output.text)).map((text): Json => ({ text }));
  const calls = output.calls.map((call): Json => ({
    functionCall: { id: call.id, name: call.name, args: 'args' in call ? call.args : { input: call.input } },
    thoughtSignature: 'c2ln',
  }));
  const parts = [...texts, ...calls];
  if (!request.stream) {
    reply.json(200, frame(parts, true));
    return true;
  }
  if (output.dies !== undefined) {
    reply.event(frame(parts.slice(0, 1), false));
    if (output.dies === 'cut') reply.cut();
    else {
      reply.event({ error: { code: 503, message: overloaded, status: 'UNAVAILABLE' } });
      reply.end();
    }
    return false;
  }
  parts.forEach((part, index) => reply.event(frame([part], index === parts.length - 1)));
  reply.end();
  return true;
}
