import type { TaskDirectory } from '../../../kinds/directory/api.ts';
import type { TaskDirectories } from '../../../kinds/directory/directories.ts';
import type { Task } from '../../../task/schema.ts';
import { type Context, withDocket } from '../frame/context.ts';
import type { Color } from '../frame/style.ts';

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

/** The one task that most of these commands are about, as it was typed. */
export function named({ args }: Context): string {
  return args.operands[0] ?? '';
}

export async function withTasks<T>(
  context: Context,
  use: (tasks: TaskDirectories) => Promise<T>,
): Promise<T> {
  return withDocket(context, async (docket) => use(await docket.tasks()));
}

/** What --json says about a task directory, with its steps and where its results are. */
export function directoryFields(directory: TaskDirectory): Record<string, unknown> {
  const { task } = directory;
  const joined = joinedFile(directory);
  const more = { ...(task.run && { goal: task.run.goal }), ...(joined !== undefined && { joined }) };
  return { ...taskFields(directory), steps: stepViews(task), ...more };
}

/** A step and what became of it, as `task show` tells it. */
export interface StepView {
  step: string;
  kind: string;
  title: string;
  agent: string;
  state: string;
  /** What was said about it last. */
  said: string;
  needs: readonly string[];
  milestone?: string;
}

export const stepColors: Readonly<Record<string, Color>> = {
  running: 'cyan',
  ready: 'cyan',
  interrupted: 'yellow',
  done: 'green',
  failed: 'red',
  blocked: 'yellow',
  canceled: 'dim',
};

export function stepViews({ run, status }: Task): StepView[] {
  return (run?.steps ?? []).map(({ id, kind, title, agent, needs, milestone }) => {
    const state = run?.states[id];
    const said = state?.reason ?? wordOf(state?.report?.['summary']);
    // What no live process works on is not running.
    const isDead = state?.state === 'running' && status !== 'running';
    const word = isDead ? 'interrupted' : (state?.state ?? 'waiting');
    const about = { step: id, kind, title, agent, state: word, said, needs };
    return milestone === undefined ? about : { ...about, milestone };
  });
}
