import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { anyTasks, reason, showOnly } from '../frame/options.ts';
import { act, actAnswer } from '../queue/act.ts';

export const command: Definition = {
  operand: anyTasks,
  options: [reason, showOnly],
  notes: [
    'Of any task: of the queue, a task directory, a packet, the board; packet:login',
    'says which of two. What it did so far stays; docket retry continues it.',
  ],
  examples: ['docket cancel fix-login', 'docket cancel a b --reason "not needed any more"'],
  answer: actAnswer('Given up.'),
  run,
};

async function run(context: Context): Promise<number> {
  const reason = last(context.args, 'reason');
  return act(context, 'cancel', reason === undefined ? {} : { reason });
}
