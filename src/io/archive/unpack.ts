import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { around } from '../fault.ts';
import { syncDir } from '../files.ts';
import { removeTree, renamePath } from '../folders.ts';
import { attempt } from '../io-error.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { readArchive, refused } from './read.ts';

export interface UnpackInput {
  file: string;
  /** Must not exist; the archive's one top folder, which has the same name, becomes it. */
  folder: string;
  limits?: Limits;
}

/** The folder is there whole or not at all: a crash leaves a hidden sibling that ends in `.tmp`. Counts its files. */
export async function unpackInto({ file, folder, limits = defaultLimits }: UnpackInput): Promise<number> {
  refuseTaken(folder);
  const top = path.basename(folder);
  const parent = path.dirname(folder);
  const temp = path.join(parent, `.${top}.${randomBytes(6).toString('hex')}.tmp`);
  makeFolder(temp);
  const unpacking = new Unpacking(temp);
  try {
    await readArchive(file, limits, {
      folder: (name) => unpacking.folder(name),
      file: (name) => {
        if (!name.startsWith(`${top}/`)) throw refused(file, `${name} lies outside its folder ${top}`);
        unpacking.file(name);
      },
      bytes: (piece) => unpacking.bytes(piece),
    });
    unpacking.close();
    refuseTaken(folder);
    renamePath(path.join(temp, top), folder);
    syncDir(parent);
    return unpacking.files;
  } finally {
    unpacking.close();
    removeTree(temp);
  }
}

/** Writes what an archive holds below a folder of ours, one open file at a time. */
class Unpacking {
  readonly #folder: string;
  #open: { fd: number; at: string } | undefined;
  files = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  folder(name: string): void {
    makeFolder(path.join(this.#folder, name));
  }

  file(name: string): void {
    this.close();
    const at = path.join(this.#folder, name);
    makeFolder(path.dirname(at));
    this.#open = { fd: attempt('create', at, () => fs.openSync(at, 'wx')), at };
    this.files += 1;
  }

  bytes(piece: Uint8Array): void {
    if (this.#open === undefined) return;
    const { fd, at } = this.#open;
    attempt('write', at, () =>
      around('write', at, () => {
        for (let from = 0; from < piece.length;) from += fs.writeSync(fd, piece, from);
      }),
    );
  }

  close(): void {
    if (this.#open) fs.closeSync(this.#open.fd);
    this.#open = undefined;
  }
}

function makeFolder(folder: string): void {
  attempt('create the folder', folder, () =>
    around('mkdir', folder, () => fs.mkdirSync(folder, { recursive: true })),
  );
}

function refuseTaken(folder: string): void {
  const found = attempt('look at', folder, () => fs.lstatSync(folder, { throwIfNoEntry: false }));
  if (found === undefined) return;
  throw new DocketError('REFUSED', `there is already something at ${folder}`, 'move it away first', {
    path: folder,
  });
}
