import { guardOf, type GuardOptions } from '../engine/guard.ts';
import type { Masking } from '../engine/masking.ts';
import type { OnProgress, TaskRef } from '../engine/progress.ts';
import { runWorkflow, type WorkflowOptions } from '../engine/run-workflow.ts';
import type { Config } from '../settings/config.ts';
import { environmentFor, type EnvironmentWish } from '../settings/environment.ts';
import { holdsFor } from '../settings/limits.ts';
import { loopsFor } from '../settings/loops.ts';
import { type Project, withNotices } from '../settings/project.ts';
import type { Claim } from '../store/store.ts';
import type { Task } from '../task/schema.ts';
import type { Graph } from '../workflow/graph.ts';

type Asks = NonNullable<WorkflowOptions['ask']>;

/**
 * How a claimed task of one kind is worked on. What protects people is no part of it: `runTask` gives every kind the same
 * environment, guard, limits, loop detection and masking.
 */
export interface Recipe extends Pick<
  WorkflowOptions,
  'store' | 'by' | 'slots' | 'only' | 'order' | 'plan' | 'next' | 'evidence' | 'prove' | 'signal'
> {
  ref: TaskRef;
  /** The command that continues it. */
  goOn: string;
  where: Pick<Project, 'root' | 'env' | 'clock' | 'warn' | 'notify'>;
  config: Config;
  masking: Masking;
  /** Where its agents work: `own` is a workspace or a copy, `people` is their tree. */
  place: { kind: 'own' | 'people'; cwd: () => string };
  /** How its environment is made ready; `ready`: the task that it is a part of has done so. */
  environment: Pick<EnvironmentWish, 'tell' | 'workspace' | 'changed'> | 'ready';
  /** While a provider cannot be reached the task waits, or the step fails because somebody waits for it. */
  patience: 'wait' | 'fail';
  /** Who is asked in the middle of a turn: nobody, so that the question becomes a gate or is denied, or somebody. */
  onQuestion: 'gate' | 'deny' | Asks;
  notes?: WorkflowOptions['notes'];
  monitors?: Graph['monitors'];
  onNotice?: GuardOptions['onNotice'];
  onProgress?: OnProgress | undefined;
  /** Whoever runs many tasks, or this one as a part of another, tells people what they need. Absent: `runTask` does. */
  isToldOutside?: boolean;
}

/** Works on a claimed task until nothing of it is due. Returns the task as it is then. */
export async function runTask(claim: Claim, recipe: Recipe): Promise<Task> {
  const { ref, goOn, where, config, masking, place, environment, onQuestion, onProgress } = recipe;
  const { kind } = ref;
  const { task } = claim;
  const { id } = task;
  const taskEnvironment =
    environment === 'ready'
      ? undefined
      : environmentFor(
          { ...where, config },
          { layout: kind, id: ref.id, task, cwd: place.cwd, goOn, ...environment },
        );
  const ask = onQuestion === 'gate' ? undefined : onQuestion === 'deny' ? denies : onQuestion;
  const isApart = place.kind === 'own';
  const run = () =>
    runWorkflow(claim, {
      ...recipe,
      notes: recipe.notes ?? (async () => undefined),
      env: where.env,
      now: () => where.clock.now(),
      ...(taskEnvironment && { taskEnvironment }),
      holds: holdsFor(where, config),
      impatient: recipe.patience === 'fail',
      guard: guardOf({
        root: where.root,
        task: id,
        masking,
        goOn,
        isApart,
        ...(recipe.onNotice && { onNotice: recipe.onNotice }),
      }),
      loops: loopsFor(config, goOn, recipe.monitors),
      onProgress: (progress) => onProgress?.({ ref, ...progress }),
      ...(ask && { ask }),
    });
  if (recipe.isToldOutside) return run();
  const look = async () => [(await recipe.store.get(id)) ?? task];
  return withNotices(where, { kind, config, masking, look }, run);
}

const denies: Asks = async ({ options }) => options.find(({ kind }) => kind === 'deny')?.id ?? '';
