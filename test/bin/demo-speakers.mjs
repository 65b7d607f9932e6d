// Five command lines as their vendors made them: which conversation is asked for, and how a turn is printed.
import { randomUUID } from 'node:crypto';
import { print } from './night-agent/print.mjs';
import { vendors } from './night-agent/vendors.mjs';

const valueOf = (argv, flag) => argv.find((arg) => arg.startsWith(`--${flag}=`))?.slice(flag.length + 3);

function copilot(argv) {
  const resumed = valueOf(argv, 'resume');
  return {
    id: resumed ?? valueOf(argv, 'session-id'),
    how: resumed === undefined ? 'new' : 'resume',
    begin: () => print({ type: 'session.start', data: {} }),
    done(_report, text) {
      print({ type: 'assistant.message', data: { content: text } });
      print({ type: 'result', exitCode: 0 });
    },
  };
}

function opencode(argv) {
  const resumed = valueOf(argv, 'session');
  const sessionID = resumed ?? `ses_${randomUUID().replaceAll('-', '')}`;
  const part = (type, fields) => print({ type, sessionID, part: fields });
  return {
    id: sessionID,
    how: resumed === undefined ? 'new' : 'resume',
    begin: () => part('step_start', {}),
    done(_report, text) {
      part('text', { text });
      part('step_finish', { reason: 'stop', tokens: { input: 100, output: 10 }, cost: 0.01 });
    },
  };
}

export const speakers = { ...vendors, copilot, opencode };
