// `codex app-server`: one JSON value per line, both sides may call. It lives until its input ends.
import { createInterface } from 'node:readline';
import { print } from '../fault-formats.mjs';
import { act } from './acts.mjs';
import { began, ended } from './diary.mjs';
import { beginThread } from './threads.mjs';

const turnId = '01a1e21e-8df5-74c2-bea4-8e747deaf909';
const say = (message) => print(`${JSON.stringify(message)}\n`);

export function serve() {
  let thread;
  let opening;
  let answered;
  const note = (method, params) => say({ method, params: { threadId: thread.id, turnId, ...params } });
  const item = (value) => note('item/completed', { item: value });
  const talk = {
    begin: () => note('turn/started', { turn: { id: turnId } }),
    output: (text) =>
      item({ type: 'commandExecution', id: 'c', command: 'cat big', aggregatedOutput: text, exitCode: 0 }),
    half: () => print('{"method":"item/completed","params":{"item":{"type":"agentMess'),
    async ask(command) {
      const params = { threadId: thread.id, turnId, itemId: 'a', command };
      say({ id: 0, method: 'item/commandExecution/requestApproval', params });
      return new Promise((resolve) => (answered = ({ result }) => resolve(result.decision)));
    },
    done(text) {
      if (text !== undefined) item({ type: 'agentMessage', id: 'm', text });
      const { input_tokens: inputTokens, output_tokens: outputTokens } = thread.usage();
      const counts = { inputTokens, cachedInputTokens: 0, outputTokens };
      note('thread/tokenUsage/updated', { tokenUsage: { total: counts, last: counts } });
      note('turn/completed', { turn: { id: turnId, status: 'completed', error: null } });
    },
  };
  const openThread = (how, { threadId: from, model }) => {
    thread = beginThread(how, from);
    if (!thread) throw new Error(`no rollout found for thread id ${from}`);
    opening = { mode: 'app-server', how, from, model, thread };
    return { thread: { id: thread.id, ...(how === 'fork' && { forkedFromId: from }) } };
  };
  const startTurn = ({ input }) => {
    const prompt = input.map(({ text }) => text).join('\n');
    thread.hear(prompt);
    began({ ...opening, prompt });
    setImmediate(() => void act(thread, talk));
    return { turn: { id: turnId } };
  };
  const called = ({ method, params }) => {
    if (method === 'turn/start') return startTurn(params);
    const how = /^thread\/(start|resume|fork)$/.exec(method)?.[1];
    return how ? openThread(how === 'start' ? 'new' : how, params) : {};
  };
  createInterface({ input: process.stdin })
    .on('line', (text) => {
      const message = JSON.parse(text);
      if (message.method === undefined) return answered(message);
      if (message.id === undefined) return;
      try {
        say({ id: message.id, result: called(message) });
      } catch (error) {
        say({ id: message.id, error: { code: -32600, message: error.message } });
      }
    })
    .on('close', () => {
      ended();
      process.exit(0);
    });
}
