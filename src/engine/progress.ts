import type { AgentEvent } from '../adapters/adapter.ts';
import type { KindName } from '../task/kind-names.ts';
import type { Task } from '../task/schema.ts';

/** A task of any kind, as people and commands call it. */
export interface TaskRef {
  kind: KindName;
  id: string;
  name: string;
  title: string;
}

/** What happens in a step. `agent` is the one that works on it now: a fallback agent while the provider is rate limited. */
export type StepProgress = { step: string; title: string; role: string; agent: string } & (
  | { kind: 'step'; attempt: number }
  | { kind: 'event'; attempt: number; event: AgentEvent }
  | {
      kind: 'stepped';
      state: string;
      summary: string;
      /** The exit code of the agent; absent where none ran. */
      exitCode?: number;
      /** The end of what was printed when it failed, and the file that has all of it. */
      tail?: readonly string[];
      file?: string;
    }
);

/** The one event that every run emits, whatever the kind of the task: who shows progress needs to know no other. */
export type Progress = { ref: TaskRef } & (
  | { kind: 'started' }
  | StepProgress
  /** `task` as the run left it; absent if the run broke off with an error. */
  | { kind: 'ended'; task?: Task }
);

export type OnProgress = (progress: Progress) => void;

/** Emits that work on a task starts, and that it ends. */
export async function announced(
  ref: TaskRef,
  tell: OnProgress | undefined,
  work: () => Promise<Task>,
): Promise<Task> {
  tell?.({ ref, kind: 'started' });
  let task: Task | undefined;
  try {
    return (task = await work());
  } finally {
    tell?.({ ref, kind: 'ended', ...(task && { task }) });
  }
}
