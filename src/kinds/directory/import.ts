import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { defaultLimits } from '../../io/archive/limits.ts';
import { readArchive, refused } from '../../io/archive/read.ts';
import { unpackInto } from '../../io/archive/unpack.ts';
import { exists } from '../../io/links.ts';
import { read } from '../../schema/read.ts';
import { isTaskId } from '../../task/id.ts';

export interface ImportInput {
  file: string;
  /** Where the task's directory goes, under its own id. */
  tasksDir: string;
  /** Looks at all of the archive, and changes nothing. */
  dryRun: boolean;
}

/** Takes in what `docket task export` packed elsewhere. A task that is here already is never touched. */
export async function importTask({
  file,
  tasksDir,
  dryRun,
}: ImportInput): Promise<{ id: string; files: number }> {
  const { id, files } = await lookInto(file);
  const folder = path.join(tasksDir, id);
  if (exists(folder))
    throw new DocketError(
      'REFUSED',
      `there is already a task ${id} in ${tasksDir}`,
      `look at it: docket task show ${id}; move its directory away if the one in the archive is to take its place`,
      { path: folder, id },
    );
  return { id, files: dryRun ? files : await unpackInto({ file, folder }) };
}

/** A task.yaml has some thousand bytes. */
const maxTaskFileBytes = 4 * 1024 * 1024;

/** The task's id and how many files there are, once all of the archive is known to be fit. */
async function lookInto(file: string): Promise<{ id: string; files: number }> {
  const tops = new Set<string>();
  const pieces: Uint8Array[] = [];
  let files = 0;
  let bytes: number | undefined;
  let isTaskFile = false;
  await readArchive(file, defaultLimits, {
    folder: (name) => void tops.add(topOf(name)),
    file: (name) => {
      files += 1;
      tops.add(topOf(name));
      isTaskFile = name === `${topOf(name)}/task.yaml`;
      if (isTaskFile) bytes = 0;
    },
    bytes: (piece) => {
      if (!isTaskFile || bytes === undefined) return;
      bytes += piece.length;
      if (bytes > maxTaskFileBytes)
        throw refused(file, `its task.yaml has more than ${maxTaskFileBytes} bytes`);
      pieces.push(piece);
    },
  });
  const [id, ...others] = tops;
  if (!isTaskId(id) || others.length > 0)
    throw refused(file, 'it does not hold exactly one folder whose name is a task id');
  if (bytes === undefined) throw refused(file, `its folder ${id} has no task.yaml`);
  const taskFile = read(Buffer.concat(pieces).toString('utf8'));
  if (!('raw' in taskFile) || taskFile.raw['id'] !== id)
    throw refused(file, `its task.yaml does not say the id ${id}, as its folder does`);
  return { id, files };
}

function topOf(name: string): string {
  return name.split('/', 1)[0] ?? name;
}
