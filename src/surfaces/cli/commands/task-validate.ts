import type { Definition } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { tellFindings } from '../frame/findings.ts';
import * as json from '../frame/json.ts';
import { oneTask } from '../frame/options.ts';
import { named, withTasks } from '../task/fields.ts';

export const command: Definition = {
  operand: oneTask,
  options: [],
  notes: ['Nothing is changed. Exit code: 0 no errors, 2 errors.'],
  examples: ['docket task validate <task>'],
  answer: json.one(
    'What is wrong with a task directory.',
    { findings: json.findings },
    { beside: { findings: json.findings } },
  ),
  run,
};

async function run(context: Context): Promise<number> {
  return tellFindings(await withTasks(context, (tasks) => tasks.validate(named(context))), context);
}
