import type { TaskDirectory } from '../../../kinds/directory/api.ts';
import { joinedFile, taskFields } from './fields.ts';
import { stepViews } from './steps.ts';

/** What --json says about a task directory, with its steps and where its results are. */
export function directoryFields(directory: TaskDirectory): Record<string, unknown> {
  const { task } = directory;
  const joined = joinedFile(directory);
  const more = { ...(task.run && { goal: task.run.goal }), ...(joined !== undefined && { joined }) };
  return { ...taskFields(directory), steps: stepViews(task), ...more };
}
