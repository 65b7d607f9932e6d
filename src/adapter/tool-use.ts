import type { AgentEvent } from './adapter.ts';
import { fieldsIn, textIn } from './pick.ts';

type Tool = Extract<AgentEvent, { type: 'tool' }>;
type Begun = Extract<Tool, { phase: 'start' }>;
type Ended = Extract<Tool, { phase: 'end' }>;

/** The tools of a vendor that tells every call of one. What stands in neither list may run anything: MCP, subagents. */
interface Known {
  commands: string;
  others: string;
  /** How the output of a command that failed looks. Absent: nobody can tell it from one that was refused. */
  failed?: RegExp;
}

const known: Readonly<Record<string, Known>> = {
  claude: {
    commands: 'Bash',
    others:
      'Read Edit MultiEdit Write NotebookEdit NotebookRead Glob Grep LS TodoRead TodoWrite WebFetch WebSearch BashOutput ' +
      'KillShell KillBash ExitPlanMode EnterPlanMode',
    failed: /^(?:Error: )?Exit code [1-9]/,
  },
  codex: { commands: 'shell', others: 'edit web_search image_generation', failed: /(?:)/ },
  copilot: {
    commands: 'bash shell',
    others:
      'view edit create apply_patch grep glob report_intent read_bash stop_bash web_fetch update_todo task',
  },
  gemini: {
    commands: 'run_shell_command',
    others:
      'read_file read_many_files write_file replace list_directory glob grep_search search_file_content web_fetch ' +
      'google_web_search save_memory write_todos',
  },
  opencode: {
    commands: 'bash',
    others:
      'read write edit multiedit patch apply_patch glob grep list todoread todowrite webfetch websearch',
  },
  script: { commands: 'run', others: 'edit', failed: /exit code [1-9]\d*$/ },
};

/** A command line, something that certainly runs none, or what nobody can say. `isCut`: the line goes on. */
export type Use = { kind: 'command'; line: string; isCut: boolean } | { kind: 'other' } | { kind: 'unknown' };

export function useOf(adapter: string, { name, input }: Begun): Use {
  const tools = Object.hasOwn(known, adapter) ? known[adapter] : undefined;
  const called = name.replaceAll(' ', '_');
  if (tools?.others.split(' ').includes(called)) return { kind: 'other' };
  if (!tools?.commands.split(' ').includes(called) || input === undefined) return { kind: 'unknown' };
  return { kind: 'command', line: lineIn(input), isCut: input.endsWith('…') };
}

/** Certain only of vendors that say so. */
export function hasFailed(adapter: string, { ok, output = '' }: Ended): boolean {
  const { failed } = (Object.hasOwn(known, adapter) && known[adapter]) || {};
  return !ok && failed !== undefined && failed.test(output.trim());
}

/** Some hand over the line, some an object with it. */
function lineIn(input: string): string {
  if (!input.startsWith('{')) return input;
  try {
    return textIn(fieldsIn(JSON.parse(input))['command']) ?? input;
  } catch {
    return input; // it was cut, or is a line that begins so
  }
}
