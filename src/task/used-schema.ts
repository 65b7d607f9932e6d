/** What calls of agents have used. Sums are folds of `attempt.ended`, so a crash counts nothing twice. */
import { z } from 'zod';

export const usedSchema = z.strictObject({
  calls: z.int().nonnegative(),
  /** Of them, those of which nobody said what they used. */
  untold: z.int().nonnegative().exactOptional(),
  /** Tokens in and out. */
  tokens: z.number().nonnegative(),
  /** US dollars, as far as they are known. */
  money: z.number().nonnegative(),
  /** Of the calls, those whose price nobody knows. */
  unpriced: z.int().nonnegative().exactOptional(),
  seconds: z.number().nonnegative(),
});
export type Used = z.infer<typeof usedSchema>;
