// What each vendor's CLI takes on its command line, and how it prints a turn.
import { codex as codexLines, line } from '../fault-formats.mjs';

const session = '0f5a1c1e-0000-4000-8000-000000000002';

const codex = {
  takes: (arg, before) =>
    ['exec', 'resume', '--json', '--skip-git-repo-check', '-', '-c', session].includes(arg) ||
    before === '-c' ||
    /^--(sandbox|cd|model|config)=./s.test(arg),
  begin() {
    process.stderr.write('Reading prompt from stdin...\n');
    codexLines.begin(session);
  },
  ran: (command, code) =>
    line({
      type: 'item.completed',
      item: {
        id: 'run',
        type: 'command_execution',
        command: `/bin/bash -lc ${JSON.stringify(command)}`,
        exit_code: code,
        status: code === 0 ? 'completed' : 'failed',
      },
    }),
  done: (text) => codexLines.done(text),
  fail: (message) => codexLines.failed(message),
};

/** It streams: a heading may come in two pieces. */
const gemini = {
  takes: (arg) =>
    /^--(output-format=stream-json|sandbox$|(model|approval-mode|admin-policy|session-id|resume)=.)/s.test(
      arg,
    ),
  begin(argv) {
    const id = argv.map((arg) => /^--(?:session-id|resume)=(.*)$/.exec(arg)?.[1]).find(Boolean);
    line({ type: 'init', timestamp: new Date().toISOString(), session_id: id, model: 'fake' });
    line({ type: 'message', role: 'user', content: 'the prompt' });
  },
  done(text) {
    const half = Math.floor(text.length / 2);
    for (const content of [text.slice(0, half), text.slice(half)])
      line({ type: 'message', role: 'assistant', content, delta: true });
    const stats = { input_tokens: 10, output_tokens: 5, total_tokens: 15, cached: 0 };
    line({ type: 'result', status: 'success', stats });
  },
  fail: (message) => line({ type: 'result', status: 'error', error: { type: 'Error', message } }),
};

const copilot = {
  takes: (arg, before) =>
    ['--no-auto-update', '--no-ask-user', '--no-color', '--disallow-temp-dir', '-C'].includes(arg) ||
    before === '-C' ||
    /^--(output-format=json|(log-level|deny-tool|allow-tool|model|usage-output-file|session-id|resume)=.)/s.test(
      arg,
    ),
  begin: () => line({ type: 'session.start', data: { version: '1' } }),
  done(content) {
    line({ type: 'assistant.message', data: { content } });
    line({ type: 'result', exitCode: 0, sessionId: session });
  },
  fail(message) {
    line({ type: 'session.error', data: { errorType: 'query', message } });
    line({ type: 'result', exitCode: 1, sessionId: session });
  },
};

export const vendors = { codex, gemini, copilot };
