import { DocketError } from '../errors.ts';
import { command, fix, type Fix } from '../errors/command.ts';
import type { Project } from '../settings/project.ts';
import type { Store } from '../store/store.ts';
import type { Command, CommandOf } from '../task/command.ts';
import type { Delivery } from '../task/delivery.ts';
import type { Spec, Task } from '../task/schema.ts';
import type { Status } from '../task/status.ts';
import type { FoundTask } from './kind.ts';

/** A project as the verbs need it. */
export interface OpenProject extends Project {
  /** The queue opened for writing, once. */
  openQueue: () => Promise<Store>;
  /** Refuses where there is no project, before anything would be made. */
  assertThere: () => void;
}

/** What may be done to a task of any kind. */
export type Act = 'cancel' | 'retry' | 'requeue';

export interface ActInput {
  by: string;
  reason?: string;
  /** The step to continue with. */
  from?: string;
  /** For the agent. */
  note?: string;
  /** Steps that the task may take beyond those that it took. */
  moreSteps?: number;
  /** The task's own caps; those that are not named stay. */
  budget?: NonNullable<Spec['budget']>;
  dryRun?: boolean;
}

/** What a canceled task leaves in people's own tree. */
export interface Left {
  files: string[];
  /** Nobody else's changes are in these files. */
  alone: boolean;
  /** Unknown whether they are: how the task left the files was not noted. */
  unsure?: true;
  /** The top folder of the repository of these files: git applies a patch only below the folder that it is told. */
  repository: string;
}

export interface Changed {
  status: Status;
  changed: boolean;
  left?: Left;
  /** Only the delivery was retried: where the work is now. */
  delivery?: Delivery;
}

/** How the verbs act on a task of one kind. */
export interface KindVerbs {
  /** Opens the store of a task for writing. */
  open<T>(project: OpenProject, found: FoundTask, use: (store: Store) => Promise<T>): Promise<T>;
  act(project: OpenProject, found: FoundTask, act: Act, input: ActInput): Promise<Changed>;
  /** What is written together with an answer. */
  withAnswer?(task: Task, answer: CommandOf<'answer'>): Command[];
  /** After somebody answered a question. */
  changed?(project: OpenProject, task: Task): Promise<void>;
  /** Why a verb is not for this kind, and what to do instead. */
  cannot: Partial<Record<NotForAll, (name: string) => { why: string; fix: string | Fix }>>;
}

/** The verbs that some kinds refuse. */
export type NotForAll = 'trust' | 'delete' | 'restore' | 'diff' | 'merge' | 'pr' | 'run';

const inTree = (name: string) => ({
  why: 'its work is in the work tree',
  fix: fix`look at it with git diff; what its agents said: ${command`logs ${name}`}`,
});

/** What a kind without branches of its own says to the verbs about them. */
export const workIsInTree = { diff: inTree, merge: inTree, pr: inTree } as const;

export function refuse({ id, status }: Task, name: string, why: string, todo: string | Fix): DocketError {
  return new DocketError('REFUSED', `task ${name}: ${why}`, todo, { id, name, status });
}

/** Refuses to put back what runs, waits for an answer, or is done; with what to do instead. */
export function assertCanGoBack(task: Task, name: string, act: 'retry' | 'requeue'): void {
  const { status, run } = task;
  const open = Object.entries(run?.gates ?? {}).flatMap(([gate, { state }]) =>
    state === 'blocked' ? [gate] : [],
  );
  if (status === 'running' || status === 'review')
    throw refuse(
      task,
      name,
      `it is ${status} (${holderOf(task)})`,
      fix`end it first: ${command`cancel ${name}`}`,
    );
  if (status === 'done' && act === 'retry')
    throw refuse(task, name, 'it is done', fix`to do it once more: ${command`requeue ${name}`}`);
  if (status === 'blocked' && open.length > 0)
    throw refuse(
      task,
      name,
      `it waits at ${open.join(', ')}`,
      fix`answer first: ${command`gate list ${name}`}`,
    );
}

function holderOf(task: Task): string {
  const lease = 'lease' in task ? task.lease : undefined;
  return lease?.kind === 'process'
    ? `by process ${lease.pid} on ${lease.host.split(' ')[0]}`
    : `by ${task.owner ?? 'somebody'}`;
}

/** Refuses options that this kind does not have. */
export function assertNoOptions(
  found: FoundTask,
  given: Partial<ActInput>,
  names: readonly ('from' | 'note' | 'moreSteps' | 'budget')[],
  todo: string | Fix,
): void {
  const wrong = names.find((name) => given[name] !== undefined);
  if (wrong === undefined) return;
  const option = `--${wrong.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)}`;
  const message = `${option} is not for ${found.name}: ${found.kind} tasks do not have it`;
  throw new DocketError('INVALID', message, todo, { id: found.task.id, option });
}
