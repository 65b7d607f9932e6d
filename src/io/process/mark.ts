import { randomBytes } from 'node:crypto';
import { DocketError } from '../../errors.ts';

/** The variable that every descendant of an attempt carries, wherever it runs off to. */
export const markVariable = 'DOCKET_MARK';

/** Short, because it is part of a folder's name in which agents make sockets; unique; safe as a file name. */
export function newMark(): string {
  return randomBytes(8).readBigUInt64BE().toString(36).padStart(13, '0');
}

/** A mark names a folder that we delete and processes that we end: it must be nothing but a mark. */
export function checkMark(mark: string): string {
  if (/^[a-z0-9][a-z0-9-]{5,39}$/.test(mark)) return mark;
  throw new DocketError(
    'INVALID',
    `${JSON.stringify(mark)} is not a mark of an attempt`,
    'make one with newMark()',
    {
      mark,
    },
  );
}
