#!/usr/bin/env node
// A stand-in for codex that speaks its formats: `exec --json`, `exec resume`, `exec fork` and `app-server`. A token in the
// prompt such as [[blocked]] chooses what it does (codex-stub/acts.mjs). `$STUB_DIARY` names its diary.
import { readFileSync } from 'node:fs';
import { act } from './codex-stub/acts.mjs';
import { serve } from './codex-stub/app-server.mjs';
import { began, ended } from './codex-stub/diary.mjs';
import { beginThread } from './codex-stub/threads.mjs';
import { codex, line, print } from './fault-formats.mjs';

/** As the vendor has them: these two exist on `exec`, and not on its subcommands. */
const early = /^--(sandbox|cd)=(.+)$/s;
const flags = /^--(model|output-schema)=(.+)$/s;
const switches = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-'];

function fail(code, message) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function parsed(args) {
  const found = { how: 'new' };
  for (const arg of args) {
    if (switches.includes(arg)) continue;
    const [, name, value] = (found.how === 'new' && early.exec(arg)) || flags.exec(arg) || [];
    if (name !== undefined) found[name] = value;
    else if (found.how === 'new' && (arg === 'resume' || arg === 'fork')) found.how = arg;
    else if (found.how !== 'new' && found.from === undefined && !arg.startsWith('-')) found.from = arg;
    else fail(2, `error: unexpected argument '${arg}' found\n\nUsage: codex exec [OPTIONS] [PROMPT]`);
  }
  return found;
}

/** `exec` prints one turn and ends. */
async function exec(args) {
  const { how, from, model } = parsed(args);
  process.stderr.write('Reading prompt from stdin...\n');
  const prompt = readFileSync(0, 'utf8');
  const thread = beginThread(how, from);
  const where = `thread/${how}: thread/${how} failed`;
  if (!thread) fail(1, `Error: ${where}: no rollout found for thread id ${from} (code -32600)`);
  thread.hear(prompt);
  began({ mode: 'exec', how, from, model, thread, prompt });
  await act(thread, {
    begin: (id = thread.id) => codex.begin(id),
    output: (text) =>
      line({
        type: 'item.completed',
        item: {
          id: 'c',
          type: 'command_execution',
          command: 'cat big',
          aggregated_output: text,
          exit_code: 0,
        },
      }),
    half: () => print('{"type":"item.completed","item":{"id":"i","type":"agent_mess'),
    ask: async () => 'nobody was asked',
    done(text) {
      if (text !== undefined) codex.say(text);
      line({ type: 'turn.completed', usage: thread.usage() });
    },
  });
  ended();
}

const isSetting = (arg, at, all) => arg === '-c' || all[at - 1] === '-c';
const [command, ...rest] = process.argv.slice(2).filter((...arg) => !isSetting(...arg));
if (command === 'exec') await exec(rest);
else if (command === 'app-server') serve();
else fail(2, `error: unrecognized subcommand '${command}'`);
