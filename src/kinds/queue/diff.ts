import { DocketError } from '../../errors.ts';
import { branchesOf, commitOf, ownRef } from '../../workspace/branch.ts';
import { commitDiff, workTreeDiff } from '../../workspace/integrate-diff.ts';
import { readMarker } from '../../workspace/marker.ts';
import type { Diff, DiffForm, FinishedPlaces } from './finished.ts';
import { notedOf } from './format/noted.ts';
import { taskNamed } from './ids.ts';

/** What a task changed: in its workspace with what is not committed, else on its branch, else in place. */
export async function diffOf(places: FinishedPlaces, ref: string, form: DiffForm): Promise<Diff> {
  const task = taskNamed((await places.read({})).tasks, ref);
  const { workspace, branch, baseCommit, commit } = notedOf(task);
  const { root } = places;
  if (baseCommit === undefined) return (await import('./diff-in-place.ts')).inPlaceDiff(places, task, form);
  if (workspace !== undefined && readMarker(workspace, { root, id: task.id })) {
    const text = await workTreeDiff(workspace, baseCommit, form);
    return { task, text, base: baseCommit, workspace };
  }
  const { commits } = await branchesOf(root);
  const tip = (branch && commits.get(branch)) ?? (await commitOf(root, ownRef(task.id))) ?? commit;
  if (tip === undefined || (await commitOf(root, tip)) === undefined)
    throw new DocketError(
      'NOT_FOUND',
      `neither the workspace nor the branch of task ${task.id} is there any more`,
      'docket restore brings back what was kept',
      { id: task.id, branch },
    );
  return { task, text: await commitDiff(root, [baseCommit, tip], form), base: baseCommit };
}
