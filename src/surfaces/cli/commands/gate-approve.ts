import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { gateOperand, note } from '../frame/options.ts';
import { answerGate } from '../task/answer.ts';
import { decisionAnswer } from '../task/schema.ts';

export const command: Definition = {
  operand: gateOperand,
  options: [
    note('What the agent has to know, in your words'),
    {
      name: 'choice',
      summary: 'One of the options, where the agent offers some',
      value: { kind: 'text', label: 'OPTION' },
    },
  ],
  notes: [
    'The gate need not be named where exactly one waits.',
    'The same conversation goes on, with your note in it. An answer counts once.',
    'A question wants an answer in words: without --note it is refused.',
    'Exit code: 0 taken, 3 no such gate, 4 it was answered before.',
  ],
  examples: [
    'docket gate approve <task> --note "Use port 8080"',
    'docket gate approve <task> gate-worker --choice once',
  ],
  answer: decisionAnswer('The task whose gate was answered.'),
  run,
};

async function run(context: Context): Promise<number> {
  const note = last(context.args, 'note');
  const choice = last(context.args, 'choice');
  const answer = {
    decision: 'approved',
    ...(note !== undefined && { note }),
    ...(choice !== undefined && { choice }),
  } as const;
  return answerGate(context, answer, context.args.operands[1]);
}
