import path from 'node:path';
import { DocketError, messageOf } from '../../errors.ts';
import { listDir, readBytes } from '../../io/files.ts';
import { exists } from '../../io/links.ts';
import type { AgentRequest, Permission } from '../adapter.ts';
import { overlay, parseJsonc } from '../jsonc.ts';
import { fieldsIn, textIn } from '../pick.ts';
import { stateDir } from './state.ts';

const ours = {
  general: {
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    // It would try ten times with growing pauses, minutes in silence. The engine tries again itself.
    maxAttempts: 3,
    // Its clean-up deletes sessions that were resumed in a later minute than they began.
    sessionRetention: { enabled: false },
  },
};

/** The settings in `state`, with what must hold laid over them. */
export function settingsOver(request: AgentRequest, state: string): string {
  const theirs = settingsIn(path.join(state, 'settings.json'));
  const all = overlay(overlay(theirs ?? {}, ours), theirs === undefined ? loginOf(request, state) : {});
  return JSON.stringify(all, undefined, 2);
}

/** How one logs in is a setting, too. A worker's own home that has none takes the user's, or what is at hand. */
function loginOf({ env }: AgentRequest, state: string): Record<string, unknown> {
  const user = stateDir({ env });
  const theirs =
    user === undefined || user === state ? undefined : settingsIn(path.join(user, 'settings.json'));
  const chosen = textIn(fieldsIn(fieldsIn(theirs?.['security'])['auth'])['selectedType']);
  const selectedType = chosen ?? usualLogin(env, state);
  return selectedType === undefined ? {} : { security: { auth: { selectedType } } };
}

function usualLogin(env: AgentRequest['env'], state: string): string | undefined {
  if (env['GOOGLE_GENAI_USE_VERTEXAI'] === 'true') return 'vertex-ai';
  if (env['GEMINI_API_KEY']) return 'gemini-api-key';
  return exists(path.join(state, 'oauth_creds.json')) ? 'oauth-personal' : undefined;
}

function settingsIn(file: string): Record<string, unknown> | undefined {
  const text = readBytes(file)?.toString('utf8');
  if (text === undefined) return undefined;
  try {
    return parseJsonc(text);
  } catch (error) {
    throw new DocketError(
      'BAD_FILE',
      `gemini's settings ${file} are not JSON: ${messageOf(error)}`,
      'correct that file; gemini itself cannot start with it either',
      { file },
      { cause: error },
    );
  }
}

/**
 * The approval modes alone hold nothing: without a person at the terminal the model may enter plan mode and leave it
 * again, and is then in "yolo" mode, from every level. So each level has rules of its own in the highest tier, above
 * the user's. Undefined: no rule is needed, everything may be done.
 */
export function policyFor(permission: Permission, sandboxed: boolean): string | undefined {
  if (permission === 'full' || sandboxed) return undefined;
  refuseIfOverruled(permission);
  return permission === 'read' ? readRules : editRules;
}

/** Only what looks. Whatever is added to it by a later version or a tool server is not on the list. */
const readRules = `# Written by docket for one attempt: look, do not touch.
[[rule]]
toolName = "*"
decision = "deny"
priority = 900
denyMessage = "This agent may only read."

[[rule]]
toolName = [
  "glob", "grep_search", "search_file_content", "list_directory", "read_file", "read_many_files",
  "google_web_search", "get_internal_docs", "update_topic", "complete_task", "write_todos"
]
decision = "allow"
priority = 950
`;

/** Edits inside the folder are checked by the CLI's own mode; a shell command could write anywhere. */
const editRules = `# Written by docket for one attempt: edit files of the work tree, run nothing.
[[rule]]
toolName = ["run_shell_command", "enter_plan_mode", "exit_plan_mode", "discovered_tool_*"]
decision = "deny"
priority = 950
denyMessage = "This agent may edit files of the work tree and nothing else."
`;

const systemPolicies: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/GeminiCli/policies',
  win32: 'C:\\ProgramData\\gemini-cli\\policies',
};

/** Where an administrator has laid down policies, gemini drops ours with nothing but a warning. */
function refuseIfOverruled(permission: Permission): void {
  const dir = systemPolicies[process.platform] ?? '/etc/gemini-cli/policies';
  if (!listDir(dir).some((name) => name.endsWith('.toml'))) return;
  throw new DocketError(
    'REFUSED',
    `gemini cannot be held to "${permission}" here: it ignores docket's rules beside those in ${dir}`,
    'set "sandbox: bubblewrap" for this agent, use "permission: full", or another agent',
    { adapter: 'gemini', permission, dir },
  );
}
