import type { Context } from '../context.ts';
import { answer } from './queue-confirm-removals.ts';

export function run(context: Context): Promise<number> {
  return answer(context, false);
}
