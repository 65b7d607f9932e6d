import { DocketError } from '../../errors.ts';
import { git } from '../../io/git.ts';
import type { Task } from '../../task/schema.ts';
import type { Left } from '../act.ts';
import { inPlaceDiff } from './diff-in-place.ts';

/** The files that a task changed in people's own tree and nobody has taken back; undefined: none, or nobody can tell. */
export async function leftInPlace(
  places: { root: string; dir: string },
  task: Task,
): Promise<Left | undefined> {
  try {
    const { text, others } = await inPlaceDiff(places, task, 'names');
    const files = [...text.split('\n').filter((name) => name !== ''), ...(others?.leftOut ?? [])];
    if (files.length === 0) return undefined;
    const repository = (await git(places.root, ['rev-parse', '--show-toplevel'])).replace(/\n$/, '');
    const isUnsure = others?.since === true && others.before === undefined;
    const whose = { alone: others === undefined, ...(isUnsure && { unsure: true as const }) };
    return { files: files.toSorted(), ...whose, repository };
  } catch (error) {
    // It is canceled all the same: what cannot be told is not what was asked for.
    if (error instanceof DocketError) return undefined;
    throw error;
  }
}
