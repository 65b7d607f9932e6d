import type { FoundTask } from '../../kinds/kind.ts';
import type { NextStep } from '../../render/explain/types.ts';
import type { Project } from '../../settings/project.ts';
import { waitsOf } from '../tasks/find.ts';
import { kindNamed } from '../tasks/kinds.ts';
import { nextSteps } from '../tasks/next.ts';

/** What can be done with a task now, as commands. */
export async function stepsFor(
  found: FoundTask,
  where: Project,
  of: string | undefined,
): Promise<NextStep[]> {
  const { kind, name, task } = found;
  const role = await kindNamed(kind).assignee?.(where, task);
  return nextSteps({ kind, name, task, waits: waitsOf(found), ...(role !== undefined && { role }), of });
}
