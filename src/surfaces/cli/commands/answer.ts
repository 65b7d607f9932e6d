import { last, usage } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { answerGate } from '../task/answer.ts';
import { decisionAnswer } from '../task/schema.ts';

export const command: Definition = {
  operand: { kind: 'text', names: 'gated', label: '<task> [text]', min: 1, max: 2 },
  options: [
    {
      name: 'choice',
      summary: 'One of the options, where the agent offers some',
      value: { kind: 'text', label: 'OPTION' },
    },
    { name: 'no', summary: 'Say no, with your reason as the text: the task fails' },
    {
      name: 'gate',
      summary: 'Which question, where a task has several (docket gate list)',
      value: { kind: 'text', names: 'gate', label: 'GATE' },
    },
  ],
  notes: [
    'The agent continues the same conversation, with your text in it.',
    'See all open questions: docket needs-me.',
  ],
  examples: [
    'docket answer login "Use port 8080"',
    'docket answer login --choice once',
    'docket answer login --no "Out of scope"',
  ],
  answer: decisionAnswer('The task whose question was answered.'),
  run,
};

async function run(context: Context): Promise<number> {
  const { args } = context;
  const [, note] = args.operands;
  const choice = last(args, 'choice');
  const isNo = args.options.has('no');
  if (isNo && (note === undefined || choice !== undefined))
    throw usage('--no needs your reason as the text, and no --choice', 'add "your reason"', 'answer');
  return answerGate(
    context,
    {
      decision: isNo ? 'rejected' : 'approved',
      ...(note !== undefined && { note }),
      ...(choice !== undefined && { choice }),
    },
    last(args, 'gate'),
    'answer',
  );
}
