import fs from 'node:fs';
import type * as Library from 'tar';
import { DocketError } from '../../errors.ts';
import { attempt } from '../io-error.ts';
import { openPlain, plainStat } from '../plain-file.ts';

export type Tar = Pick<typeof Library, 'Header' | 'Pax'>;

const blockBytes = 512;
const pieceBytes = 256 * 1024;

/** What ends an archive. */
export const lastBlocks = Buffer.alloc(2 * blockBytes);

/**
 * One entry as bytes. Whose it was and what mode it had stays at home. A file that grows meanwhile is taken as long as
 * it was. Undefined: it is gone.
 */
export function entryBlocks(
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
