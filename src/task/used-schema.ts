/** What calls of agents have used. Sums are folds of `attempt.ended`, so a crash counts nothing twice. */
import * as v from 'valibot';
import { count } from './parts.ts';

export const usedSchema = v.strictObject({
  calls: count,
  /** Of them, those of which nobody said what they used. */
  untold: v.exactOptional(count),
  /** Tokens in and out. */
  tokens: v.pipe(v.number(), v.minValue(0)),
  /** US dollars, as far as they are known. */
  money: v.pipe(v.number(), v.minValue(0)),
  /** Of the calls, those whose price nobody knows. */
  unpriced: v.exactOptional(count),
  seconds: v.pipe(v.number(), v.minValue(0)),
});
export type Used = v.InferOutput<typeof usedSchema>;
