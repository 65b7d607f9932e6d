import { DocketError } from '../../errors.ts';
import type { Task } from '../../task/schema.ts';
import type { Left } from './api.ts';
import { inPlaceDiff } from './diff-in-place.ts';

/** The files that a task changed in people's own tree and nobody has taken back; undefined: none, or nobody can tell. */
export async function leftInPlace(
  places: { root: string; dir: string },
  task: Task,
): Promise<Left | undefined> {
  try {
    const { text, others } = await inPlaceDiff(places, task, 'names');
    const files = [...text.split('\n').filter((name) => name !== ''), ...(others?.leftOut ?? [])];
    return files.length === 0 ? undefined : { files: files.toSorted(), alone: others === undefined };
  } catch (error) {
    // It is canceled all the same: what cannot be told is not what was asked for.
    if (error instanceof DocketError) return undefined;
    throw error;
  }
}
