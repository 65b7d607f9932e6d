import type { Task } from '../../task/schema.ts';
import { readMarker, type Plan } from '../../workspace/marker.ts';
import { notedOf } from './format/noted.ts';

/**
 * The workspace of a task as docket made it; undefined: it has none, or another folder is in its place. Whoever works
 * there can write its marker too, so the branch that the work goes to is the journal's.
 */
export function planOf(root: string, task: Task): Plan | undefined {
  const { workspace, branch, base, baseCommit } = notedOf(task);
  const found = workspace === undefined ? undefined : readMarker(workspace, { root, id: task.id })?.plan;
  if (!found) return undefined;
  const noted = { ...(base !== undefined && { base }), ...(baseCommit !== undefined && { baseCommit }) };
  return { ...found, ...(branch !== undefined && { branch, ...noted }) };
}
