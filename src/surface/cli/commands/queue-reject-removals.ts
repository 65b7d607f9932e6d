import type { Definition } from '../command.ts';
import type { Context } from '../context.ts';
import { answer } from './queue-confirm-removals.ts';

export const command: Definition = {
  options: [],
  notes: ['The opposite of docket queue confirm-removals: the tasks stay and may start.'],
  examples: ['docket queue reject-removals'],
  run,
};

function run(context: Context): Promise<number> {
  return answer(context, false);
}
