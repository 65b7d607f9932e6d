import { DocketError, type ErrorCode, messageOf } from '../errors.ts';
import type { BlockReason } from '../task/schema.ts';

/** The run stops here until somebody, or time, has seen to this. The step is not over: it goes on then. */
export class Held extends Error {
  readonly reason: BlockReason;

  constructor(reason: BlockReason) {
    super(reason.text);
    this.name = 'Held';
    this.reason = reason;
  }
}

/** The machine's or the store's trouble: it is no property of the task, and passes without anybody looking at it. */
const notOfTheTask: ReadonlySet<ErrorCode> = new Set([
  'DISK_FULL',
  'LOCK_TIMEOUT',
  'STORE_STOPPED',
  'FENCED',
  'BAD_JOURNAL',
  'NEWER_FORMAT',
]);

/** What a person has to mend before this task can run; undefined when the error is not of that kind. */
export function blockReasonFor(error: unknown): BlockReason | undefined {
  if (!(error instanceof DocketError) || notOfTheTask.has(error.code)) return undefined;
  return { kind: 'setup', text: `${messageOf(error)} (${error.fix})`.slice(0, 2000), who: 'a person' };
}
