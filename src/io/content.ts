import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { attempt, codeOf, ioError } from './io-error.ts';

/** What stands under a name of a work tree. `other`: a folder, a pipe, or a file that is too long or may not be read. */
export interface Content {
  kind: 'file' | 'program' | 'link' | 'other';
  bytes: Buffer;
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const nothing = Buffer.alloc(0);

/** Undefined: nothing does. Links are not followed, and nothing that would hold us up is read. */
export function contentAt(file: string, longest: number): Content | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    switch (codeOf(error)) {
      case 'ENOENT':
      case 'ENOTDIR':
        return undefined;
      case 'ELOOP':
        return linkAt(file);
      case 'EACCES':
      case 'ENXIO':
        return { kind: 'other', bytes: nothing };
      default:
        throw ioError(error, 'read', file);
    }
  }
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile() || stat.size > longest) return { kind: 'other', bytes: nothing };
    return { kind: stat.mode & 0o100 ? 'program' : 'file', bytes: fs.readFileSync(fd) };
  } catch (error) {
    throw ioError(error, 'read', file);
  } finally {
    fs.closeSync(fd);
  }
}

/** One that was replaced meanwhile is no link any more: who looks again sees what it is. */
function linkAt(file: string): Content {
  try {
    return { kind: 'link', bytes: fs.readlinkSync(file, 'buffer') };
  } catch {
    return { kind: 'other', bytes: nothing };
  }
}

/** A longer one is told by its size and its times: to read it would take longer than whoever asks can wait. */
const mostRead = 64 * 1024 ** 2;

/** What tells one content from another at a name, whenever it was written. '' where nothing is. */
export function contentMark(file: string): string {
  return attempt('look at', file, () => {
    const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (!stat) return '';
    if (stat.isSymbolicLink()) return `link ${fs.readlinkSync(file)}`;
    if (!stat.isFile()) return 'no file';
    const mode = stat.mode & 0o100n ? 'x' : 'f';
    if (stat.size > mostRead) return `${mode} ${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
    return `${mode} ${createHash('sha256').update(fs.readFileSync(file)).digest('hex')}`;
  });
}
