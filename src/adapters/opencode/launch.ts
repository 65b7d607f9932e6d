import { DocketError, messageOf } from '../../errors.ts';
import type { Adapter, AgentRequest, Launch, Permission } from '../adapter.ts';
import type { Rule } from '../classify.ts';
import { execute } from '../exec.ts';
import { overlay, parseJsonc } from '../jsonc.ts';
import { checkedId } from '../session-id.ts';
import { prepareHome } from './home.ts';
import { OpencodeReader } from './reader.ts';

/** An `error` event has a name, the HTTP status and whether trying again makes sense. */
export const errors: readonly Rule[] = [
  { code: 'ProviderAuthError', class: 'auth' },
  { code: 'ContextOverflowError', class: 'prompt-too-large', newSession: true },
  {
    status: 400,
    text: /(context|prompt|input).*(too (long|large)|exceed|maximum)/i,
    class: 'prompt-too-large',
    newSession: true,
  },
  { code: 'content-filter', class: 'refused' },
  {
    code: /^(ProviderModelNotFoundError|ModelNotFoundError|ConfigInvalidError|ConfigJsonError)$/,
    class: 'tooling',
  },
  {
    code: 'APIError',
    text: /^(Connection reset|Unable to connect|.*socket connection was closed)/i,
    class: 'transient',
  },
  { code: 'retryable', class: 'transient' },
  // An error inside the stream comes as the server wrote it: JSON in the message, and no status.
  {
    code: 'UnknownError',
    text: /^\{.*("type":"(overloaded|server|api)_error"|"code":"?5\d\d\b|overloaded)/s,
    class: 'transient',
  },
  { text: /^(Error: )?.*(Session not found|NotFoundError)/im, class: 'tooling', newSession: true },
  { text: /^(Error: )?.*(Model not found|ProviderModelNotFoundError)/im, class: 'tooling' },
  // Two that start at once in a new home: one of them makes the database.
  { text: /database is locked|SQLITE_BUSY/, class: 'transient' },
];

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

/**
 * The rules belong to an agent of our own: rules of an agent come behind all general ones and the last that fits
 * decides, so neither the user's general rules nor those of another agent lift them, and none of them is touched.
 */
const agentName = 'docket';

/** Every tool that acts is named, beside the star: a key that a project's settings put before ours stays before. */
const acting = {
  bash: 'deny',
  task: 'deny',
  skill: 'deny',
  external_directory: 'deny',
  question: 'deny',
  plan_enter: 'deny',
  plan_exit: 'deny',
};

const looking = {
  read: 'allow',
  glob: 'allow',
  grep: 'allow',
  list: 'allow',
  lsp: 'allow',
  todowrite: 'allow',
};

/**
 * `edit` has no shell, because its guard reads the command's text and a redirection gets past it; and no subagents,
 * because they have rules of their own. Undefined: everything may be done.
 */
function rulesFor(permission: Permission, sandboxed: boolean): Record<string, unknown> | undefined {
  if (permission === 'full' || sandboxed) return undefined;
  return { '*': 'deny', ...looking, edit: permission === 'edit' ? 'allow' : 'deny', ...acting };
}
