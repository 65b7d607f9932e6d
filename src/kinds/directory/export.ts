import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { packFolder } from '../../io/archive/pack.ts';
import { isDirectory } from '../../io/find-up.ts';
import { isOwnFolder } from '../../io/own-folder.ts';
import { scanFile } from '../../io/process/scan.ts';
import { MaskStream } from '../../render/mask-stream.ts';
import type { Masker } from '../../render/masker.ts';
import { isPortable } from './portable.ts';

export interface ExportInput {
  /** The task directory. Its name, the task's id, is the archive's top folder. */
  dir: string;
  file: string;
  masker: Masker;
}

/** Packs a task directory without vendor homes, logins and locks, and without the secrets that stand in its files. */
export async function exportTask({
  dir,
  file,
  masker,
}: ExportInput): Promise<{ file: string; files: number; left: string[] }> {
  const target = path.resolve(file);
  if (!isOwnFolder(dir))
    throw new DocketError('NOT_FOUND', `there is no task directory ${dir}`, 'docket task list shows them', {
      path: dir,
    });
  if (target.startsWith(path.resolve(dir) + path.sep))
    throw new DocketError(
      'REFUSED',
      `${file} lies in the task directory itself`,
      'name a file outside it: --output ../task.tar.gz',
      {
        path: target,
      },
    );
  const folder = path.dirname(target);
  if (!isDirectory(folder))
    throw new DocketError('NOT_FOUND', `there is no folder ${folder}`, `make it: mkdir -p ${folder}`, {
      path: folder,
    });
  const instead = (name: string, at: string): Buffer | 'leave' | undefined => {
    const masked = scanFile(at, longest, () => new MaskStream(masker));
    if (masked !== undefined && isSealed.test(name)) throw holdsSecret(name);
    return masked;
  };
  return { file: target, ...(await packFolder({ folder: dir, file: target, keep: isPortable, instead })) };
}

/** What is longer is left out when it holds a secret. */
const longest = 64 * 1024 * 1024;
/** Nothing in these may be changed: others know their hashes. */
const isSealed = /^(?:events\.jsonl$|shared\/blobs\/)/;

function holdsSecret(name: string): DocketError {
  return new DocketError(
    'REFUSED',
    `${name} holds a secret, and it cannot be taken out without breaking the record`,
    'change that secret where it is valid; then it is none any more (take it out of the environment and of "secrets" in the settings)',
    { path: name },
  );
}
