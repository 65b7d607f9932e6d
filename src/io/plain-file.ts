import fs from 'node:fs';
import { DocketError } from '../errors.ts';
import { noFile } from '../errors/no-file.ts';
import { around } from './fault.ts';
import { attempt, codeOf, ioError } from './io-error.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

/**
 * Opens a file of an attempt's folder for reading. The agent can write there too: what it puts in the place of a file
 * (a link, a pipe that nobody fills) must neither lead us elsewhere nor hold us up.
 */
export function openPlain(file: string): number {
  let fd: number;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw notPlain(file);
    throw ioError(error, 'open', file);
  }
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw notPlain(file);
}

/** Opens such a file, and closes it after the read. */
export function readPlain<T>(file: string, read: (fd: number) => T): T {
  const fd = openPlain(file);
  try {
    return attempt('read', file, () => read(fd));
  } finally {
    fs.closeSync(fd);
  }
}

/** Opens a new, empty file for writing at its end, in the place of whatever has that name; it is for its owner only. */
export function createPlain(file: string): number {
  return attempt('create', file, () =>
    around('open', file, () => {
      fs.rmSync(file, { force: true, recursive: true });
      return fs.openSync(file, 'ax', 0o600);
    }),
  );
}

export function writePlain(file: string, content: string): void {
  const fd = createPlain(file);
  try {
    attempt('write', file, () => around('write', file, () => fs.writeFileSync(fd, content)));
  } finally {
    fs.closeSync(fd);
  }
}

/** Adds to the end of a file, and makes it where it is missing; a link in its place is not followed. */
export function appendPlain(file: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT } = fs.constants;
  attempt('append to', file, () => {
    const fd = fs.openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    try {
      around('write', file, () => fs.writeSync(fd, text));
    } finally {
      fs.closeSync(fd);
    }
  });
}

function notPlain(file: string): DocketError {
  return new DocketError(
    'BAD_FILE',
    `${file} is no longer a plain file`,
    'the agent must leave the files of its attempt alone: look at what it did there',
    { path: file },
  );
}

const smallBytes = 4096;

/** The beginning of a file of ours; undefined when there is none, or none that is ours. */
export function readSmallFile(file: string): string | undefined {
  try {
    return readPlain(file, (fd) => textAt(fd, 0, smallBytes));
  } catch (error) {
    if (error instanceof DocketError && isAbsent(error)) return undefined;
    throw error;
  }
}

/** A piece of an open file. A cut may go through a character, which becomes U+FFFD. */
export function textAt(fd: number, start: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, length, start));
}

function isAbsent({ code, data }: DocketError): boolean {
  return code === 'BAD_FILE' || data['errno'] === 'ENOENT';
}

/** The size of a plain file; 0 when there is none. */
export function sizeOf(file: string): number {
  return plainStat(file)?.size ?? 0;
}

/** Undefined: there is no plain file, also when the agent put something else in the place of the folder. */
export function plainStat(file: string): fs.Stats | undefined {
  try {
    const stat = fs.lstatSync(file);
    return stat.isFile() ? stat : undefined;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** The bytes of a file that a person named to be copied: a plain file, no link to another, and not too large. */
export function readPlainBytes(file: string, maxBytes: number): Buffer {
  const data = { path: file };
  let fd: number;
  try {
    fd = attempt('open', file, () => fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
  } catch (error) {
    const errno = codeOf(error instanceof Error ? error.cause : undefined);
    if (errno === 'ENOENT') throw noFile(file);
    if (errno === 'ELOOP')
      throw new DocketError('REFUSED', `${file} is a link`, 'name the file that it leads to', data);
    throw error;
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new DocketError('BAD_FILE', `${file} is not a plain file`, packing(file), data);
    if (stat.size > maxBytes) {
      const message = `${file} has ${stat.size} bytes; it may have ${maxBytes}`;
      throw new DocketError(
        'TOO_LARGE',
        message,
        'leave it out of --attach and name its place in the text instead',
        data,
      );
    }
    return attempt('read', file, () => fs.readFileSync(fd));
  } finally {
    fs.closeSync(fd);
  }
}

function packing(file: string): string {
  return `name a file; a folder can be packed first: tar -czf folder.tar.gz ${file}`;
}
