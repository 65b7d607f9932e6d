import { createHash } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { linkFile, readBytes, removeFile, sizeAndInode, syncDir, writeTemp } from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { Blobs } from '../store.ts';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

let count = 0;

/** Immutable bytes by their hash, in a folder below `base`. Needs no lock: two writers of one name write the same bytes. */
export function fileBlobs(base: string, dir: string): Blobs {
  return {
    async put(bytes) {
      const hash = sha256(bytes);
      const file = fileOf(dir, hash);
      if (sizeAndInode(file) !== undefined) return hash;
      makeOwnFolder(base, ...path.relative(base, path.dirname(file)).split(path.sep));
      count += 1;
      const temp = `${file}.${process.pid}-${count}.tmp`;
      writeTemp(temp, bytes, { sync: true });
      try {
        linkFile(temp, file);
      } finally {
        removeFile(temp);
      }
      syncDir(path.dirname(file));
      return hash;
    },
    get: async (hash) => readBlob(dir, hash),
  };
}

export function readBlob(dir: string, hash: string): Buffer | undefined {
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
  const file = fileOf(dir, hash);
  const bytes = readBytes(file);
  if (bytes && sha256(bytes) !== hash) {
    throw new DocketError('BAD_FILE', `${file} is damaged`, 'restore it from a backup', { path: file });
  }
  return bytes;
}

function fileOf(dir: string, hash: string): string {
  return path.join(dir, hash.slice(0, 2), hash.slice(2));
}
