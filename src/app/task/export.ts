import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { packFolder } from '../../io/archive/pack.ts';
import { isOwnFolder } from '../../io/own-folder.ts';
import { isPortable } from '../../layout/agentmesh/portable.ts';

export interface ExportInput {
  /** The task directory. Its name, the task's id, is the archive's top folder. */
  dir: string;
  file: string;
}

/** Packs a task directory without vendor homes, logins and locks. What stands inside the files is not looked at. */
export async function exportTask({
  dir,
  file,
}: ExportInput): Promise<{ file: string; files: number; left: string[] }> {
  const target = path.resolve(file);
  if (!isOwnFolder(dir))
    throw new DocketError('NOT_FOUND', `there is no task directory ${dir}`, 'docket task list shows them', {
      path: dir,
    });
  if (target.startsWith(path.resolve(dir) + path.sep))
    throw new DocketError('REFUSED', `${file} lies in the task directory itself`, 'name a file outside it', {
      path: target,
    });
  return { file: target, ...(await packFolder({ folder: dir, file: target, keep: isPortable })) };
}
