import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { countsOf } from '../frame/format.ts';
import { oneTask } from '../frame/options.ts';
import { visible } from '../frame/visible.ts';
import { joinedFile, named, stateOf, stepViews, taskFields, withTasks } from '../task/fields.ts';
import { directory, openAnswer, openOne } from '../task/schema.ts';

export const command: Definition = {
  operand: oneTask,
  options: [],
  notes: ['Also those of agents that another tool ran. Prints where the summary is.'],
  examples: ['docket task join <task>', 'less "$(docket task join <task>)"'],
  answer: openOne('The task whose results were brought together.', openAnswer(directory.joined)),
  run,
};

async function run(context: Context): Promise<number> {
  const { globals, out } = context;
  const directory = await withTasks(context, (tasks) => tasks.join(named(context)));
  const joined = joinedFile(directory);
  if (globals.json) out.answer({ ...taskFields(directory), ...(joined !== undefined && { joined }) });
  else {
    if (joined !== undefined) out.data(visible(joined));
    const steps = countsOf(stepViews(directory.task).map(({ state }) => state));
    out.talk(`${visible(directory.id)} is ${visible(stateOf(directory))}; steps: ${steps}`);
  }
  return 0;
}
