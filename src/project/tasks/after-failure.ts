import type { KindName } from '../../task/kind-names.ts';
import { failedOtherwise, isRejected } from '../../task/rejected.ts';
import type { Task } from '../../task/schema.ts';
import { nextOf, nextSteps } from './next.ts';

/**
 * The command that leads on from what failed. `rejected`: a person said no, so nothing has to, and it takes the no back.
 * Undefined: nothing failed.
 */
export function afterFailure(
  kind: KindName,
  name: string,
  task: Task,
): { rejected: boolean; words: readonly string[] } | undefined {
  if (isRejected(task)) {
    const { words = [] } = nextSteps({ kind, name, task }).at(-1) ?? {};
    return { rejected: true, words };
  }
  if (failedOtherwise(task.run).length === 0) return undefined;
  return { rejected: false, words: nextOf(kind).retry(name) };
}
