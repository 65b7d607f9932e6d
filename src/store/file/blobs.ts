import { createHash } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../../errors.ts';
import {
  createFile,
  linkFile,
  makeDir,
  readBytes,
  removeFile,
  sizeAndInode,
  syncDir,
  writeTemp,
} from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { MirrorLayout } from '../../layout/layout.ts';
import type { Task } from '../../task/schema.ts';
import type { Blobs } from '../store.ts';
import type { Place } from './place.ts';

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

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Files that come with a new task and belong to people from then on: no later write would repair them. */
export function makeCompanions(
  task: Task,
  { root, layout, place }: { root: string; layout: MirrorLayout; place: Pick<Place, 'blobs'> },
): void {
  if (task.status !== 'queued') return;
  for (const { path: name, text } of layout.companions(task)) {
    const file = path.join(root, name);
    const content = typeof text === 'string' ? text : readBlob(place.blobs, text.blob);
    if (content === undefined) continue;
    makeDir(path.dirname(file));
    createFile(file, withLastLineEnd(content), { sync: true });
  }
}

const lineEnd = 0x0a;

function withLastLineEnd(content: string | Uint8Array): string | Uint8Array {
  if (typeof content === 'string') return content.endsWith('\n') ? content : `${content}\n`;
  return content.at(-1) === lineEnd ? content : Buffer.concat([content, Buffer.from('\n')]);
}
