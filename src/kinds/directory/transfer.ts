import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { defaultLimits } from '../../io/archive/names.ts';
import { packFolder } from '../../io/archive/pack.ts';
import { readArchive, refused, unpackInto } from '../../io/archive/unpack.ts';
import { isDirectory } from '../../io/find-up.ts';
import { exists } from '../../io/links.ts';
import { scanFile } from '../../io/process/rewrite.ts';
import { MaskStream } from '../../render/mask-stream.ts';
import type { Masker } from '../../render/masker.ts';
import { read } from '../../schema/read.ts';
import { isTaskId } from '../../task/id.ts';
import { assertTaskDir } from './place.ts';
import { isPortable } from './portable.ts';

interface ExportInput {
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
  assertTaskDir(dir);
  if (target.startsWith(path.resolve(dir) + path.sep)) {
    const todo = 'name a file outside it: --output ../task.tar.gz';
    throw new DocketError('REFUSED', `${file} lies in the task directory itself`, todo, { path: target });
  }
  const folder = path.dirname(target);
  if (!isDirectory(folder)) {
    const todo = `make it: mkdir -p ${folder}`;
    throw new DocketError('NOT_FOUND', `there is no folder ${folder}`, todo, { path: folder });
  }
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

interface ImportInput {
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
      fix`look at it: ${command`task show ${id}`}; move its directory away if the one in the archive is to take its place`,
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
