import path from 'node:path';
import type { Prover } from '../../engine/prove.ts';
import { DocketError } from '../../errors.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { onlyWorker, proverFor } from '../../settings/prove.ts';
import { folderOf } from './project-binding.ts';
import type { Spawning } from './spawn-order.ts';

/** What proves the work of a board's worker. Undefined: the folder of its project is gone, and its order says so. */
export function boardProver(id: string, { desk, workers }: Spawning): Prover | undefined {
  const { where, dir } = desk;
  try {
    return proverFor(
      { ...where, config: workers.config },
      {
        cwd: folderOf(where.root, id),
        masking: workers.masking,
        attempts: { attemptsBy: 'step', attempts: path.join(dir, 'attempts', id) },
        folder: () => makeOwnFolder(dir, 'evidence', id),
        scratch: () => makeOwnFolder(dir, 'proof', id),
        back: onlyWorker,
        name: id,
        goOn: `docket say "unblock ${id}"`,
      },
    );
  } catch (error) {
    if (error instanceof DocketError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
