import type { Config } from '../../settings/config.ts';
import { acceptanceCommands } from '../../settings/prove.ts';
import type { Task } from '../../task/schema.ts';
import type { Check } from '../../workflow/graph.ts';

/** The commands that prove a task: its own, then the project's. */
export function acceptanceOf(task: Task, config: Pick<Config, 'acceptance'>): Check[] {
  return acceptanceCommands(task, config).map((command) => ({ name: command, command }));
}
