import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { control, taskExits } from '../frame/options.ts';
import { running } from '../task/running.ts';
import { runAnswer } from '../task/schema.ts';

export const command: Definition = {
  operand: { kind: 'text', names: ['task'], label: '<task> [subtask…]', min: 1, max: 50 },
  options: [
    {
      name: 'note',
      summary: 'What their agents are told',
      value: { kind: 'text', label: 'TEXT' },
    },
    ...control,
  ],
  notes: [
    'All that failed, or those that you name, each in the conversation that it had',
    'where its vendor can go on with it. What waited for them begins then. What a',
    'person rejected is tried again only by name. A canceled task is reopened:',
    'its open questions are asked again.',
    taskExits,
  ],
  examples: ['docket task retry <task>', 'docket task retry <task> parser --note "Node 20 is there now"'],
  answer: runAnswer('The same as docket task run.'),
  run,
};

async function run(context: Context): Promise<number> {
  const [id = '', ...steps] = context.args.operands;
  const note = last(context.args, 'note');
  const again = { ...(steps.length > 0 && { steps }), ...(note !== undefined && { note }) };
  return running(context, 'task retry', (tasks, control) => tasks.retry(id, { ...control, ...again }));
}
