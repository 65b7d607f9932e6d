import { DocketError } from '../../errors.ts';
import { listDir } from '../../io/files.ts';
import type { Permission } from '../adapter.ts';

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
