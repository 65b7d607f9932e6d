import type { Action } from './step.ts';

/** A call of a tool that the request offers. `input`: a tool that takes plain text instead of JSON. */
export type ToolCall = { id: string; name: string } & ({ args: Record<string, unknown> } | { input: string });
type Call = ToolCall extends infer T ? (T extends ToolCall ? Omit<T, 'id'> : never) : never;

/** The action by the CLI's own tool; undefined when it offers none for it, as it should under `read`. */
export function callFor(action: Action, tools: readonly string[]): Call | undefined {
  const has = (name: string): boolean => tools.includes(name);
  if ('shell' in action) return shell(action.shell, has);
  if ('write' in action) return write(action.write, has);
  return edit(action.edit, has);
}

function shell(command: string, has: (name: string) => boolean): Call | undefined {
  const description = 'scripted';
  if (has('exec_command')) return { name: 'exec_command', args: { cmd: command } };
  if (has('shell_command')) return { name: 'shell_command', args: { command } };
  if (has('run_shell_command')) return { name: 'run_shell_command', args: { command, description } };
  if (has('Bash')) return { name: 'Bash', args: { command, description } };
  return has('bash') ? { name: 'bash', args: { command, description } } : undefined;
}

function write(file: { path: string; content: string }, has: (name: string) => boolean): Call | undefined {
  const { path, content } = file;
  if (has('write_file')) return { name: 'write_file', args: { file_path: path, content } };
  if (has('Write')) return { name: 'Write', args: { file_path: path, content } };
  if (has('create')) return { name: 'create', args: { path, file_text: content } };
  if (has('write')) return { name: 'write', args: { filePath: path, content } };
  if (has('apply_patch')) return patch(`*** Add File: ${path}\n${lines('+', content.replace(/\n$/, ''))}`);
  return undefined;
}

function edit(
  change: { path: string; old: string; new: string },
  has: (name: string) => boolean,
): Call | undefined {
  const { path, old, new: now } = change;
  if (has('replace'))
    return {
      name: 'replace',
      args: { file_path: path, old_string: old, new_string: now, instruction: 'scripted' },
    };
  if (has('Edit')) return { name: 'Edit', args: { file_path: path, old_string: old, new_string: now } };
  if (has('edit') && has('create')) return { name: 'edit', args: { path, old_str: old, new_str: now } };
  if (has('edit')) return { name: 'edit', args: { filePath: path, oldString: old, newString: now } };
  if (has('apply_patch'))
    return patch(`*** Update File: ${path}\n@@\n${lines('-', old)}\n${lines('+', now)}`);
  return undefined;
}

function patch(body: string): Call {
  return { name: 'apply_patch', input: `*** Begin Patch\n${body}\n*** End Patch` };
}

function lines(sign: string, text: string): string {
  return text
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
}
