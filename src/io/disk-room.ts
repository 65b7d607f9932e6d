import path from 'node:path';
import { DocketError } from '../errors.ts';
import { removeQuietly, writeTemp } from './files.ts';

/** What one who says a few words and ends has room for. */
const enough = new Uint8Array(64 * 1024);

/** Throws where the disk is full. Whatever else is wrong with the folder is told elsewhere. */
export function assertRoom(dir: string): void {
  const temp = path.join(dir, `.room.${process.pid}.docket-tmp`);
  try {
    writeTemp(temp, enough, {});
  } catch (error) {
    if (error instanceof DocketError && error.code === 'DISK_FULL') throw error;
  } finally {
    removeQuietly(temp);
  }
}
