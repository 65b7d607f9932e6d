import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DocketError } from '../../errors.ts';
import { removeQuietly, syncDir } from '../files.ts';
import { renamePath } from '../folders.ts';
import { ioError } from '../io-error.ts';
import { exists } from '../links.ts';
import { walk, type Found } from '../walk.ts';
import { defaultLimits } from './limits.ts';
import { nameJudge } from './names.ts';
import { entryBlocks, lastBlocks, type Tar } from './tar-blocks.ts';

export interface PackInput {
  folder: string;
  /** The archive to make: a .tar.gz with the folder, under its own name, at the top. */
  file: string;
  keep: (path: string, kind: 'file' | 'folder') => boolean;
  /** What stands in the archive in the place of a file's bytes; 'leave': it is not taken. */
  instead?: (path: string, file: string) => Buffer | 'leave' | undefined;
  overwrite?: boolean;
}

export interface Packed {
  files: number;
  /** What was not taken: unwanted, a link or a device, a name that not every system has, or gone meanwhile. */
  left: string[];
}

/** The archive is there whole or not at all. The same folder makes the same bytes. */
export async function packFolder(input: PackInput): Promise<Packed> {
  const { file, overwrite = false } = input;
  if (!overwrite && exists(file)) throw taken(file);
  const packed: Packed = { files: 0, left: [] };
  const temp = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const blocks = blocksOf(await import('tar'), input, packed);
    const out = fs.createWriteStream(temp, { flags: 'wx', flush: true });
    await pipeline(Readable.from(blocks), createGzip(), out);
    if (!overwrite && exists(file)) throw taken(file);
    renamePath(temp, file);
    syncDir(path.dirname(file));
    return packed;
  } catch (error) {
    throw ioError(error, 'write', file);
  } finally {
    removeQuietly(temp);
  }
}

function* blocksOf(tar: Tar, { folder, keep, instead }: PackInput, packed: Packed): Generator<Uint8Array> {
  const top = path.basename(folder);
  const judge = nameJudge(defaultLimits.files);
  const open = (name: string, kind: Found['kind']): Generator<Uint8Array> | undefined => {
    if ((kind !== 'file' && kind !== 'folder') || !keep(name, kind)) return undefined;
    const inside = `${top}/${name}`;
    const at = path.join(folder, name);
    const bytes = kind === 'file' ? instead?.(name, at) : undefined;
    if (bytes === 'leave' || judge(inside, kind) !== undefined) return undefined;
    return entryBlocks(tar, { name: inside, kind, at, ...(bytes && { bytes }) });
  };

  yield* entryBlocks(tar, { name: top, kind: 'folder', at: folder }) ?? [];
  let isTaken = true;
  for (const { path: name, kind } of walk(folder, () => isTaken)) {
    const blocks = open(name, kind);
    isTaken = blocks !== undefined;
    if (!isTaken) packed.left.push(kind === 'folder' ? `${name}/` : name);
    if (isTaken && kind === 'file') packed.files += 1;
    yield* blocks ?? [];
  }
  yield lastBlocks;
}

function taken(file: string): DocketError {
  return new DocketError(
    'REFUSED',
    `there is already a file ${file}`,
    'name another one with --output, or move it away',
    {
      path: file,
    },
  );
}
