import { DocketError, type ErrorCode } from '../errors.ts';
import type { Refusal } from '../task/refusal.ts';

const codes: Partial<Record<Refusal['code'], ErrorCode>> = {
  'not-found': 'NOT_FOUND',
  'unknown-need': 'NOT_FOUND',
  invalid: 'INVALID',
  fenced: 'FENCED',
};

/** What helps whatever the task is like. */
const fixes: Partial<Record<Refusal['code'], string>> = {
  exists: 'choose another id',
  'not-found': 'docket list, docket task list and docket packet list show what is there',
  'unknown-need': 'name a task that is there with --needs; docket list shows them',
  cycle: 'leave one of them out of --needs',
};

/** A refusal as the surfaces print it. */
export function refused({ code, message, allowed, data }: Refusal, id?: string): DocketError {
  const fix = fixes[code] ?? `see what can be done with it now: docket explain ${id ?? '<task>'}`;
  return new DocketError(codes[code] ?? 'REFUSED', message, fix, { refusal: code, allowed, ...data });
}
