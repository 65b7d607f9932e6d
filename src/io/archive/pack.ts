import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type * as Library from 'tar';
import { DocketError } from '../../errors.ts';
import { removeQuietly, syncDir } from '../files.ts';
import { renamePath } from '../folders.ts';
import { attempt, ioError } from '../io-error.ts';
import { exists } from '../links.ts';
import { openPlain, plainStat } from '../plain-file.ts';
import { type Found, walk } from '../walk.ts';
import { defaultLimits, nameJudge } from './names.ts';

interface PackInput {
  folder: string;
  /** The archive to make: a .tar.gz with the folder, under its own name, at the top. */
  file: string;
  keep: (path: string, kind: 'file' | 'folder') => boolean;
  /** What stands in the archive in the place of a file's bytes; 'leave': it is not taken. */
  instead?: (path: string, file: string) => Buffer | 'leave' | undefined;
  overwrite?: boolean;
}

interface Packed {
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

type Tar = Pick<typeof Library, 'Header' | 'Pax'>;

const blockBytes = 512;
const pieceBytes = 256 * 1024;

/** What ends an archive. */
const lastBlocks = Buffer.alloc(2 * blockBytes);

/**
 * One entry as bytes. Whose it was and what mode it had stays at home. A file that grows meanwhile is taken as long as
 * it was. Undefined: it is gone.
 */
function entryBlocks(
  tar: Tar,
  { name, kind, at, bytes }: { name: string; kind: 'file' | 'folder'; at: string; bytes?: Buffer },
): Generator<Uint8Array> | undefined {
  if (kind === 'folder') {
    const stat = attempt('look at', at, () => fs.lstatSync(at, { throwIfNoEntry: false }));
    return stat && folderBlocks(tar, name, stat.mtimeMs);
  }
  try {
    return bytes ? bytesBlocks(tar, name, at, bytes) : fileBlocks(tar, name, at, openPlain(at));
  } catch (error) {
    if (error instanceof DocketError && error.data['errno'] === 'ENOENT') return undefined;
    throw error;
  }
}

function* folderBlocks(tar: Tar, name: string, mtimeMs: number): Generator<Uint8Array> {
  yield headerOf(tar, { path: `${name}/`, type: 'Directory', mode: 0o755, size: 0, mtimeMs });
}

function* fileBlocks(tar: Tar, name: string, at: string, fd: number): Generator<Uint8Array> {
  try {
    const { size, mtimeMs } = fs.fstatSync(fd);
    yield headerOf(tar, { path: name, type: 'File', mode: 0o644, size, mtimeMs });
    for (let rest = size; rest > 0;) {
      const piece = Buffer.allocUnsafe(Math.min(rest, pieceBytes));
      const length = attempt('read', at, () => fs.readSync(fd, piece));
      if (length === 0) throw shorter(at);
      yield piece.subarray(0, length);
      rest -= length;
    }
    yield Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
  } finally {
    fs.closeSync(fd);
  }
}

/** The file as it is told, not as it is. */
function* bytesBlocks(tar: Tar, name: string, at: string, bytes: Buffer): Generator<Uint8Array> {
  const mtimeMs = plainStat(at)?.mtimeMs ?? 0;
  yield headerOf(tar, { path: name, type: 'File', mode: 0o644, size: bytes.length, mtimeMs });
  yield bytes;
  yield Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes);
}

interface HeaderFields {
  path: string;
  type: 'File' | 'Directory';
  mode: number;
  size: number;
  mtimeMs: number;
}

function headerOf({ Header, Pax }: Tar, { mtimeMs, ...rest }: HeaderFields): Buffer {
  const mtime = new Date(Math.floor(mtimeMs / 1000) * 1000);
  const fields = { ...rest, mtime, uid: 0, gid: 0 };
  const block = Buffer.alloc(blockBytes);
  const needsMore = new Header(fields).encode(block);
  return needsMore ? Buffer.concat([new Pax({ path: rest.path, size: rest.size }).encode(), block]) : block;
}

function shorter(at: string): DocketError {
  return new DocketError(
    'CONFLICT',
    `${at} became shorter while it was packed`,
    'try again when nothing writes there',
    {
      path: at,
    },
  );
}
