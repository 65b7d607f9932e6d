import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ReadEntry } from 'tar';
import { DocketError, messageOf } from '../../errors.ts';
import { command, fix } from '../../errors/command.ts';
import { noFile } from '../../errors/no-file.ts';
import { around } from '../fault.ts';
import { syncDir } from '../files.ts';
import { removeTree, renamePath } from '../folders.ts';
import { attempt, ioError } from '../io-error.ts';
import { defaultLimits, type Limits, nameJudge } from './names.ts';

interface UnpackInput {
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

/** Hears what an archive holds, in its order: a file, then its bytes piece by piece, then the next. */
interface Visitor {
  folder(path: string): void;
  file(path: string): void;
  bytes(piece: Uint8Array): void;
}

/** Reads an archive to its end in bounded memory. Paths are safe below any folder; whatever is wrong is an error. */
export async function readArchive(file: string, limits: Limits, visitor: Visitor): Promise<void> {
  const { Parser } = await import('tar');
  const judge = nameJudge(limits.files);
  const take = (entry: ReadEntry): void => {
    const name = entry.path.replace(/\/$/, '');
    const kind = kindOf(entry);
    const problem = kind === undefined ? `is neither a file nor a folder (${entry.type})` : judge(name, kind);
    if (problem !== undefined) throw refused(file, `${JSON.stringify(name.slice(0, 100))} ${problem}`);
    if (kind === 'folder') return visitor.folder(name);
    visitor.file(name);
    entry.on('data', (piece: Uint8Array) => later(() => visitor.bytes(piece)));
  };

  // The parser calls back in the middle of its work: an error waits until it is done with a piece.
  const errors: unknown[] = [];
  const later = (run: () => void): void => {
    if (errors.length > 0) return;
    try {
      run();
    } catch (error) {
      errors.push(error);
    }
  };
  const stopIfWrong = (): void => {
    if (errors.length > 0) throw errors[0];
  };

  const parser = new Parser({ strict: true });
  let isWhole = false;
  parser.on('eof', () => (isWhole = true));
  parser.on('error', (error) => errors.push(broken(file, error)));
  for (const event of ['entry', 'ignoredEntry'] as const)
    parser.on(event, (entry: ReadEntry) => {
      later(() => take(entry));
      entry.resume();
    });

  let bytes = 0;
  await eachPiece(file, (piece) => {
    bytes += piece.length;
    if (bytes > limits.bytes) throw refused(file, `it unpacks to more than ${limits.bytes} bytes`);
    parser.write(piece);
    stopIfWrong();
  });
  parser.end();
  stopIfWrong();
  if (!isWhole) throw broken(file, 'it ends too soon');
}

function kindOf({ type, ignore }: ReadEntry): 'file' | 'folder' | undefined {
  if (type === 'Directory') return 'folder';
  return !ignore && (type === 'File' || type === 'OldFile') ? 'file' : undefined;
}

/** The bytes of a file, without their gzip if they have one. */
async function eachPiece(file: string, take: (piece: Buffer) => void): Promise<void> {
  const fd = openArchive(file);
  const start = Buffer.alloc(2);
  fs.readSync(fd, start, 0, 2, 0);
  const source = fs.createReadStream(file, { fd, start: 0 });
  const sink = new Writable({
    write(piece: Buffer, _, done) {
      try {
        take(piece);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  try {
    if (start[0] === 0x1f && start[1] === 0x8b) await pipeline(source, createGunzip(), sink);
    else await pipeline(source, sink);
  } catch (error) {
    if (error instanceof Error && 'errno' in error && 'syscall' in error) throw ioError(error, 'read', file);
    throw error instanceof DocketError ? error : broken(file, error);
  }
}

/** A person named it, so a link to it is followed; a pipe that nobody fills would hold us up. */
function openArchive(file: string): number {
  const stat = attempt('look at', file, () => fs.statSync(file, { throwIfNoEntry: false }));
  if (stat === undefined) throw noFile(file);
  if (!stat.isFile()) throw broken(file, 'it is not even a file');
  return attempt('open', file, () => fs.openSync(file, 'r'));
}

function broken(file: string, error: unknown): DocketError {
  const why = messageOf(error).replace(/^TAR_\w+: /, '');
  return new DocketError(
    'BAD_FILE',
    `${file} is no whole archive (.tar.gz): ${why}`,
    fix`make it again with ${command`task export`}, or copy it again`,
    { path: file },
    { cause: error },
  );
}

export function refused(file: string, what: string): DocketError {
  return new DocketError(
    'BAD_FILE',
    `${file} is not unpacked: ${what}`,
    fix`take only archives that ${command`task export`} made`,
    { path: file },
  );
}
