import { DocketError, type ErrorCode } from '../errors.ts';
import { command, fix, type Fix } from '../errors/command.ts';
import type { Refusal } from '../task/refusal.ts';

const codes: Partial<Record<Refusal['code'], ErrorCode>> = {
  'not-found': 'NOT_FOUND',
  'unknown-need': 'NOT_FOUND',
  invalid: 'INVALID',
  fenced: 'FENCED',
};

/** What helps whatever the task is like. */
const fixes: Partial<Record<Refusal['code'], string | Fix>> = {
  exists: 'choose another id',
  'not-found': fix`${command`list`}, ${command`task list`} and ${command`packet list`} show what is there`,
  'unknown-need': fix`name a task that is there with --needs; ${command`list`} shows them`,
  cycle: 'leave one of them out of --needs',
};

/** A refusal as the surfaces print it. */
export function refused({ code, message, allowed, data }: Refusal, id?: string): DocketError {
  const about = id === undefined ? command`explain <task>` : command`explain ${id}`;
  const todo = fixes[code] ?? fix`see what can be done with it now: ${about}`;
  return new DocketError(codes[code] ?? 'REFUSED', message, todo, { refusal: code, allowed, ...data });
}
