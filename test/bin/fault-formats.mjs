// How vendors' CLIs print things: lines of `claude -p --output-format stream-json` and of `codex exec --json`.
import { writeSync } from 'node:fs';

export const session = '0f5a1c1e-0000-4000-8000-000000000001';

/** Straight to the descriptor: what was said is out, even if the next thing is to die. */
export function print(text) {
  for (let bytes = Buffer.from(text); bytes.length > 0;) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

export const line = (value) => print(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);

const usage = {
  input_tokens: 10,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  output_tokens: 5,
};

export const claude = {
  begin: () =>
    line({
      type: 'system',
      subtype: 'init',
      session_id: session,
      model: 'fake',
      tools: [],
      cwd: process.cwd(),
    }),
  say: (text) =>
    line({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text }] }, session_id: session }),
  tool: (id, name, input) =>
    line({
      type: 'assistant',
      message: { id: 'm', content: [{ type: 'tool_use', id, name, input }] },
      session_id: session,
    }),
  toolDone: (id, content) =>
    line({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    }),
  done: (result, more = {}) =>
    line({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result,
      session_id: session,
      usage,
      total_cost_usd: 0.01,
      ...more,
    }),
  failed: (result, more = {}) =>
    line({ type: 'result', subtype: 'success', is_error: true, result, session_id: session, usage, ...more }),
};

export const codex = {
  begin(id = session) {
    line({ type: 'thread.started', thread_id: id });
    line({ type: 'turn.started' });
  },
  say: (text) => line({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } }),
  done(text) {
    codex.say(text);
    line({ type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5 } });
  },
  error: (message) => line({ type: 'error', message }),
  failed(message) {
    codex.error(message);
    line({ type: 'turn.failed', error: { message } });
  },
};

/** A plain program: words, and an object as its last line. */
export const plain = {
  begin: () => undefined,
  say: line,
  done: line,
  failed: (message) => process.stderr.write(`${message}\n`),
};
