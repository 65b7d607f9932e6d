import path from 'node:path';
import { DocketError } from '../errors.ts';

/** A file that a person named and that is not there. The folder's list shows what was meant. */
export function noFile(file: string): DocketError {
  const folder = path.dirname(file);
  const shown = /^[\w./-]+$/.test(folder) ? folder : JSON.stringify(folder);
  const fix = `name one that is there; to see them: ls ${shown}`;
  return new DocketError('NOT_FOUND', `there is no file ${file}`, fix, { path: file });
}
