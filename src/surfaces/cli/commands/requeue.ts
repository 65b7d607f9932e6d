import { capsIn, last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { agentNote, anyTasks, ownBudget, reason, showOnly } from '../frame/options.ts';
import { act, actAnswer } from '../queue/act.ts';

export const command: Definition = {
  operand: anyTasks,
  options: [agentNote, reason, ownBudget, showOnly],
  notes: ['Of any task; one whose kind cannot begin anew says what to do instead.'],
  examples: [
    'docket requeue fix-login --note "Also for guests"',
    'docket requeue nightly --reason "once more"',
  ],
  answer: actAnswer('Back into the queue, to begin anew.'),
  run,
};

async function run(context: Context): Promise<number> {
  const reason = last(context.args, 'reason');
  const note = last(context.args, 'note');
  const budget = capsIn(context.args);
  return act(context, 'requeue', {
    ...(reason !== undefined && { reason }),
    ...(note !== undefined && { note }),
    ...(budget && { budget }),
  });
}
