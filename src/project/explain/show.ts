import { readEvidence, type ShownEvidence } from '../../engine/evidence-book.ts';
import type { FoundTask } from '../../kinds/kind.ts';
import type { About } from '../../render/explain/types.ts';
import { taskGates, type TaskGate } from '../../render/gates.ts';
import { stepsOf, type StepDetails } from '../../render/steps.ts';
import type { Project } from '../../settings/project.ts';
import type { Delivery } from '../../task/delivery.ts';
import type { UnmetNeed } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { findTask } from '../tasks/find.ts';
import { kindNamed, type OwnDetails } from '../tasks/kinds.ts';
import { aboutTask } from './about.ts';

/** What every task has, whatever its kind. */
interface SharedDetails extends About {
  /** What commands take for this task and no other: `packet:login`. */
  ref: string;
  task: Task;
  waits: readonly UnmetNeed[];
  steps: StepDetails[];
  gates: TaskGate[];
  evidence: ShownEvidence[];
  delivery?: Delivery;
}

/** All about one task: what every task has, and what only its kind has. */
export type ShownTask = SharedDetails & OwnDetails;

/** Takes no lock and changes nothing. */
export async function showTask(where: Project, ref: string, of: string | undefined): Promise<ShownTask> {
  const found = await findTask(where, ref, of);
  const [shared, own] = await Promise.all([
    sharedDetails(found, where, of),
    kindNamed(found.kind).details(where, found),
  ]);
  // The kind in `shared` is the one that `own` comes from.
  return { ...shared, ...own } as ShownTask;
}

async function sharedDetails(
  found: FoundTask,
  where: Project,
  of: string | undefined,
): Promise<SharedDetails> {
  const { kind, name, task, view } = found;
  return {
    ...(await aboutTask(found, where, of)),
    ref: `${kind}:${name}`,
    task,
    waits: view.waits[task.id] ?? [],
    steps: stepsOf(task),
    gates: taskGates(found),
    evidence: readEvidence(where.root, kindNamed(kind).evidence(found, where.root), task.id),
    ...(task.delivery && { delivery: task.delivery }),
  };
}
