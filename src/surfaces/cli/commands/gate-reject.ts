import { needed } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { gateOperand, note } from '../frame/options.ts';
import { answerGate } from '../task/answer.ts';
import { decisionAnswer } from '../task/schema.ts';

export const command: Definition = {
  operand: gateOperand,
  options: [note('Why (needed: somebody will want to know)')],
  notes: [
    'Its task fails at once, if nothing else of it is left.',
    'No run takes it up again: only docket retry of that task, or docket task retry',
    'with the name of the subtask.',
    'The gate need not be named where exactly one waits.',
    'Exit code: 0 taken, 3 no such gate, 4 it was answered before.',
  ],
  examples: ['docket gate reject <task> --note "Out of scope"'],
  answer: decisionAnswer('The task whose gate was answered.'),
  run,
};

async function run(context: Context): Promise<number> {
  const note = needed(context.args, 'note', 'gate reject');
  return answerGate(context, { decision: 'rejected', note }, context.args.operands[1]);
}
