import * as v from 'valibot';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import * as json from '../frame/json.ts';
import { answer, answeredRemoval } from './queue-confirm-removals.ts';

export const command: Definition = {
  options: [],
  notes: ['The opposite of docket queue confirm-removals: the tasks stay and may start.'],
  examples: ['docket queue reject-removals'],
  answer: json.one('The tasks that stay.', { tasks: v.array(answeredRemoval) }),
  run,
};

function run(context: Context): Promise<number> {
  return answer(context, false);
}
