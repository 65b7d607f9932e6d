import { capsIn, last, numberIn } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { agentNote, anyTasks, ownBudget, showOnly } from '../frame/options.ts';
import { act, actAnswer } from '../queue/act.ts';

export const command: Definition = {
  operand: anyTasks,
  options: [
    { name: 'from', summary: 'Step to go on with', value: { kind: 'text', label: 'STEP' } },
    agentNote,
    {
      name: 'more-steps',
      summary: 'How many more steps it may take',
      value: { kind: 'integer', label: 'N' },
    },
    ownBudget,
    showOnly,
  ],
  notes: [
    'Of any task; docket run continues those of the queue, run --all the others.',
    'Resumes where the task stopped. A task at its limit of steps may take as many',
    'again. Running tasks are refused; answer open questions first.',
    'A done task whose delivery failed is only delivered again: no agent is called.',
  ],
  examples: [
    'docket retry fix-login --note "The test server is up again"',
    'docket retry fix-login --from implement',
  ],
  answer: actAnswer('Back into the queue, to go on where it stopped.'),
  run,
};

async function run(context: Context): Promise<number> {
  const { args } = context;
  const from = last(args, 'from');
  const note = last(args, 'note');
  const moreSteps = numberIn(args, 'more-steps', [1, 10_000], 'retry');
  const budget = capsIn(args);
  return act(context, 'retry', {
    ...(from !== undefined && { from }),
    ...(note !== undefined && { note }),
    ...(moreSteps !== undefined && { moreSteps }),
    ...(budget && { budget }),
  });
}
