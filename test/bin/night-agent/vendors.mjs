// Four command lines as their vendors made them: which conversation is asked for, and how a turn is printed.
import { randomUUID } from 'node:crypto';
import { print } from './print.mjs';

const valueOf = (argv, flag) => argv.find((arg) => arg.startsWith(`--${flag}=`))?.slice(flag.length + 3);
/** With the day: on a busy machine hours of the night may pass before anybody reads it. */
const timeOf = (time) => {
  const of = (style) => new Date(time).toLocaleString('en-US', style);
  const clock = of({ hour: 'numeric', minute: '2-digit' }).replace(/\s/, '').toLowerCase();
  return `${of({ month: 'short', day: 'numeric' })}, ${clock}`;
};

/** Which minute it is that a text may name: one that is not over yet. */
const nextMinute = (time) => Math.ceil(time / 60_000) * 60_000;

function claude(argv) {
  const resumed = valueOf(argv, 'resume');
  const id = resumed ?? valueOf(argv, 'session-id');
  const isStructured = valueOf(argv, 'json-schema') !== undefined;
  const usage = (n) => ({ input_tokens: 100 * n, output_tokens: 10 * n, cache_read_input_tokens: 0 });
  const result = (text, more) =>
    print({ type: 'result', subtype: 'success', session_id: id, result: text, ...more });
  return {
    id,
    how: resumed === undefined ? 'new' : 'resume',
    lost: () => process.stderr.write(`No conversation found with session ID: ${id}\n`),
    begin: () =>
      print({
        type: 'system',
        subtype: 'init',
        session_id: id,
        model: 'fake',
        tools: [],
        cwd: process.cwd(),
      }),
    /** The total runs over the whole conversation; what this turn cost stands beside it. */
    done: (report, text, turns, cost) =>
      result(text, {
        is_error: false,
        ...(isStructured && report && { structured_output: report }),
        usage: usage(1),
        model_usage_since_last_result: { fake: { inputTokens: 100, outputTokens: 10, costUSD: cost } },
        total_cost_usd: cost * turns,
      }),
    limit({ told, end }) {
      const reset = told === 'nothing' ? '' : ` · resets ${timeOf(nextMinute(end))}`;
      result(`You've hit your limit${reset}`, { is_error: false, usage: usage(0), total_cost_usd: 0 });
      return 0;
    },
    outage() {
      result('API Error: Connection refused', { is_error: true, usage: usage(0), total_cost_usd: 0 });
      return 1;
    },
  };
}

function codex(argv) {
  const at = argv.indexOf('resume');
  const id = at < 0 ? randomUUID() : argv.slice(at + 1).find((arg) => /^[0-9a-f-]{36}$/.test(arg));
  const isStructured = valueOf(argv, 'output-schema') !== undefined;
  const failed = (message) => {
    print({ type: 'error', message });
    print({ type: 'turn.failed', error: { message } });
    return 1;
  };
  return {
    id,
    how: at < 0 ? 'new' : 'resume',
    lost: () =>
      process.stderr.write(
        `Error: thread/resume: thread/resume failed: no rollout found for thread id ${id}\n`,
      ),
    begin() {
      print({ type: 'thread.started', thread_id: id });
      print({ type: 'turn.started' });
    },
    done(report, text, turns) {
      const words = isStructured && report ? JSON.stringify(report) : text;
      print({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text: words } });
      const usage = { input_tokens: 1000 * turns, cached_input_tokens: 0, output_tokens: 100 * turns };
      print({ type: 'turn.completed', usage });
    },
    limit({ told, end }) {
      const error = { type: 'usage_limit_reached', message: 'The usage limit has been reached' };
      return failed(
        JSON.stringify({
          error: { ...error, ...(told !== 'nothing' && { resets_at: Math.ceil(end / 1000) }) },
        }),
      );
    },
    outage: () => failed('stream disconnected before completion: error sending request'),
  };
}

function gemini(argv) {
  const resumed = valueOf(argv, 'resume');
  const id = resumed ?? valueOf(argv, 'session-id');
  const failed = (message) => print({ type: 'result', status: 'error', error: { type: 'Error', message } });
  return {
    id,
    how: resumed === undefined ? 'new' : 'resume',
    lost: () => process.stderr.write(`Error resuming session: Invalid session identifier "${id}"\n`),
    begin: () => print({ type: 'init', session_id: id, model: 'fake' }),
    done(report, text) {
      print({ type: 'message', role: 'assistant', content: text, delta: true });
      print({
        type: 'result',
        status: 'success',
        stats: { input_tokens: 100, output_tokens: 10, total_tokens: 110, cached: 0 },
      });
    },
    limit() {
      failed('[API Error: You have exhausted your capacity on this model.]');
      return 173; // what is left of 429
    },
    outage() {
      failed('[API Error: fetch failed]');
      return 1;
    },
  };
}

/** Any program: it has no conversations, and no price. */
function plain() {
  return {
    id: undefined,
    how: 'new',
    begin: () => undefined,
    done: (report, text) => print(text),
    limit({ told, end }) {
      print(
        told === 'nothing'
          ? 'Usage limit reached.'
          : `Usage limit reached. Try again at ${new Date(end).toISOString()}`,
      );
      return 0;
    },
    outage() {
      process.stderr.write('connect ECONNREFUSED\n');
      return 75;
    },
  };
}

export const vendors = { claude, codex, gemini, plain };
