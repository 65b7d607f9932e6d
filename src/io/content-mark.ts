import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { attempt } from './io-error.ts';

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
