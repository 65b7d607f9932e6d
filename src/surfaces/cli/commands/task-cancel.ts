import { last } from '../frame/args.ts';
import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { oneTask } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { named, stateOf, taskFields, withTasks } from '../task/fields.ts';
import { directory, openAnswer, openOne } from '../task/schema.ts';

export const command: Definition = {
  operand: oneTask,
  options: [{ name: 'reason', summary: 'Why, for the log', value: { kind: 'text', label: 'TEXT' } }],
  examples: ['docket task cancel <task> --reason "The parser is gone"'],
  answer: openOne('The task that was given up.', openAnswer(directory.about)),
  run,
};

async function run(context: Context): Promise<number> {
  const { args, globals, out } = context;
  const reason = last(args, 'reason');
  const input = reason === undefined ? {} : { reason };
  const directory = await withTasks(context, (tasks) => tasks.cancel(named(context), input));
  if (globals.json) out.answer(taskFields(directory));
  else out.data(`${visible(directory.id)} is ${visible(stateOf(directory))}`);
  return 0;
}
