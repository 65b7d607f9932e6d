import type { TaskDirectory } from '../../../kinds/directory/api.ts';

/** What --json says about a task directory: its file, without keys in it that would pose as docket's own. */
export function taskFields({ id, dir, file, task }: TaskDirectory): Record<string, unknown> {
  const { v: _v, ok: _ok, error: _error, id: _id, status: _status, dir: _dir, ...rest } = file;
  return { id, status: task.status, dir, ...rest };
}

/** The state in the words of its file. */
export function stateOf({ file, task }: TaskDirectory): string {
  return wordOf(file['state']) || task.status;
}

export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A list of objects, where a file is expected to have one; what is none is left out. */
export function recordsOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one) => typeof one === 'object' && one !== null) as Record<string, unknown>[];
}

/** Where results are brought together; undefined while there is nothing to read, or only something older. */
export function joinedFile({ dir, task }: TaskDirectory): string | undefined {
  return task.run?.joinedAt === undefined ? undefined : `${dir}/shared/reports/joined-summary.md`;
}

/** A reason may have several lines; a row has one. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').trim();
}
