import type { Context } from '../context.ts';
import { running } from './run.ts';

export function run(context: Context): Promise<number> {
  return running(context, 'watch');
}
