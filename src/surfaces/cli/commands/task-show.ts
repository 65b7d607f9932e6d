import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { oneTask } from '../frame/options.ts';
import { directoryFields, named, withTasks } from '../task/fields.ts';
import { directory, openAnswer, openOne } from '../task/schema.ts';
import { showLines } from '../task/show.ts';

export const command: Definition = {
  operand: oneTask,
  options: [],
  notes: ['Nothing is changed. Each gate comes with the command that answers it.'],
  examples: ['docket task show <task>', 'docket task show <task> --json | jq .steps'],
  answer: openOne('A task directory with its steps.', openAnswer(directory.shown)),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const directory = await withTasks(context, (tasks) => tasks.show(named(context)));
  if (globals.json) out.answer(directoryFields(directory));
  else out.data(showLines(directory, context).join('\n'));
  return 0;
}
