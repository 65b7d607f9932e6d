// A stand-in for `codex app-server`: answers what every client asks first, then plays the scenario named by its
// first argument. What it was sent goes to the file named by its second.
import fs from 'node:fs';
import readline from 'node:readline';

const [scenario, heard] = process.argv.slice(2);
const thread = '01a1e21e-8db6-7733-ad75-f7b09dd3f063';
const turn = '01a1e21e-8df5-74c2-bea4-8e747deaf909';
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const note = (method, params) => say({ method, params: { threadId: thread, turnId: turn, ...params } });
const item = (phase, value) => note(`item/${phase}`, { item: value });
const end = (status, error = null) => note('turn/completed', { turn: { id: turn, status, error } });
const answer = (text) => item('completed', { type: 'agentMessage', id: 'm', text });
const change = { type: 'fileChange', id: 'c', changes: [{ path: '/repo/a', kind: { type: 'add' } }] };
const count = (inputTokens, outputTokens) => ({ inputTokens, cachedInputTokens: 0, outputTokens });

const scenarios = {
  answer() {
    note('thread/tokenUsage/updated', {
      turnId: 'earlier',
      tokenUsage: { total: count(9, 9), last: count(9, 9) },
    });
    note('item/completed', {
      threadId: 'of-a-sub-agent',
      item: { type: 'agentMessage', id: 's', text: 'not me' },
    });
    answer('done');
    const usage = { tokenUsage: { total: count(323, 65), last: count(200, 20) } };
    note('thread/tokenUsage/updated', usage);
    note('thread/tokenUsage/updated', usage);
    end('completed');
  },
  edit() {
    item('started', { ...change, status: 'inProgress' });
    say({ id: 0, method: 'item/fileChange/requestApproval', params: { threadId: thread, itemId: 'c' } });
  },
  form() {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const params = {
      threadId: thread,
      serverName: 'box',
      mode: 'form',
      message: 'Your name?',
      requestedSchema,
    };
    say({ id: 0, method: 'mcpServer/elicitation/request', params });
  },
  unheard: () => say({ id: 0, method: 'attestation/generate', params: {} }),
  dies: () => process.exit(7),
  leaves() {
    scenarios.edit();
    process.stdout.write('', () => process.exit(7));
  },
  fails() {
    const info = { httpConnectionFailed: { httpStatusCode: 503 } };
    note('error', { willRetry: true, error: { message: 'Reconnecting... 1/1', codexErrorInfo: info } });
    end('failed', { message: 'bad gateway', codexErrorInfo: info });
  },
  limit() {
    const windows = {
      primary: { usedPercent: 100, resetsAt: Math.floor(Date.now() / 1000) + 3600 },
      secondary: { usedPercent: 40, resetsAt: 1 },
    };
    say({
      method: 'account/rateLimits/updated',
      params: { rateLimits: { ...windows, rateLimitReachedType: 'rate_limit_reached' } },
    });
    end('failed', { message: 'used up', codexErrorInfo: 'usageLimitExceeded' });
  },
  rubbish() {
    process.stdout.write('{"method":\n\u0000\n[]\nnull\n{"method":"item/completed","params":null}\n');
    answer('still here');
    end('completed');
  },
};

/** The end of the turn depends on what we were answered. */
function decided(message) {
  if (scenario === 'edit') {
    const { decision } = message.result;
    if (decision === 'cancel') return end('interrupted');
    item('completed', { ...change, status: decision === 'accept' ? 'completed' : 'declined' });
  }
  answer(JSON.stringify(message.result ?? message.error.code));
  end('completed');
}

readline
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    fs.appendFileSync(heard, `${line}\n`);
    const message = JSON.parse(line);
    if (message.method === undefined) decided(message);
    else if (message.method === 'initialize') say({ id: message.id, result: {} });
    else if (message.method.startsWith('thread/')) {
      if (scenario === 'unknown')
        say({ id: message.id, error: { code: -32600, message: 'no rollout found for thread id X' } });
      else say({ id: message.id, result: { thread: { id: thread } } });
    } else if (message.method === 'turn/start') {
      say({ id: message.id, result: { turn: { id: turn } } });
      note('turn/started', { turn: { id: turn } });
      scenarios[scenario]();
    }
  })
  .on('close', () => process.exit(0));
