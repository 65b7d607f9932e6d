import { DocketError, type ErrorCode } from '../errors.ts';
import type { Refusal } from '../task/refusal.ts';

const codes: Partial<Record<Refusal['code'], ErrorCode>> = {
  'not-found': 'NOT_FOUND',
  'unknown-need': 'NOT_FOUND',
  invalid: 'INVALID',
  fenced: 'FENCED',
};

/** A refusal as the surfaces print it. */
export function refused({ code, message, allowed, data }: Refusal): DocketError {
  const fix = allowed.length > 0 ? `possible now: ${allowed.join(', ')}` : 'nothing can be done with it';
  return new DocketError(codes[code] ?? 'REFUSED', message, fix, { refusal: code, allowed, ...data });
}
