import { DocketError, messageOf } from '../../errors.ts';
import type { Adapter, AgentRequest, Launch } from '../adapter.ts';
import { execute } from '../exec.ts';
import { overlay, parseJsonc } from '../jsonc.ts';
import { checkedId } from '../session-id.ts';
import { errors } from './errors.ts';
import { prepareHome } from './home.ts';
import { agentName, rulesFor } from './permission.ts';
import { OpencodeReader } from './reader.ts';

const sessionId = /^ses_[A-Za-z0-9]{1,60}$/;

export function launch(request: AgentRequest): Launch {
  const { cwd, model, session, about } = request;
  const rules = rulesFor(request.permission, request.sandboxed);
  const argv = [...(request.command ?? ['opencode']), 'run', '--format=json', `--dir=${cwd}`];
  // What its settings would ask about is answered with yes; what is denied stays denied.
  argv.push('--auto');
  if (rules) argv.push(`--agent=${agentName}`);
  if (model !== undefined) argv.push(`--model=${model}`);
  if (session.kind === 'new') {
    // Without a title it asks the model for one.
    argv.push(`--title=${about.taskId} ${about.step}`);
  } else {
    argv.push(`--session=${checkedId(session.id, sessionId, 'opencode')}`);
    if (session.kind === 'fork') argv.push('--fork');
  }
  return {
    argv,
    env: { ...prepareHome(request), ...settings(request, rules), PWD: cwd },
    stdin: { text: request.prompt },
  };
}

/** One variable holds settings over all files; the user may have some there already. */
function settings(request: AgentRequest, rules: Record<string, unknown> | undefined): Record<string, string> {
  const quiet = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_TERMINAL_TITLE: '1' };
  if (rules === undefined) return quiet;
  const ours = {
    agent: { [agentName]: { mode: 'primary', description: 'A turn under docket', permission: rules } },
  };
  return { ...quiet, OPENCODE_CONFIG_CONTENT: JSON.stringify(overlay(theirs(request), ours)) };
}

function theirs({ env }: AgentRequest): Record<string, unknown> {
  const text = env['OPENCODE_CONFIG_CONTENT'];
  if (text === undefined || text.trim() === '') return {};
  try {
    return parseJsonc(text);
  } catch (error) {
    throw new DocketError(
      'INVALID',
      `the variable OPENCODE_CONFIG_CONTENT is not a JSON object: ${messageOf(error)}`,
      'correct it or unset it; docket adds its own settings to it',
      { variable: 'OPENCODE_CONFIG_CONTENT' },
      { cause: error },
    );
  }
}

export const run: Adapter['run'] = (request, host) =>
  execute(request, host, { launch: launch(request), reader: new OpencodeReader(), errors });
