import fs from 'node:fs';
import { DocketError } from '../errors.ts';
import { noFile } from '../errors/no-file.ts';
import { attempt, codeOf } from './io-error.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;

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
