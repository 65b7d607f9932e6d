import { DocketError } from '../../errors.ts';

/** The variable that every descendant of an attempt carries, wherever it runs off to. */
export const markVariable = 'DOCKET_MARK';

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
