import type { Config } from '../../config.ts';
import type { Task } from '../../task/schema.ts';
import type { Check } from '../../workflow/graph.ts';
import { commandsOf } from './merge-test.ts';

/** The commands that prove a task: its own, then the project's. */
export function acceptanceOf(task: Task, { acceptance = [] }: Pick<Config, 'acceptance'>): Check[] {
  return [...commandsOf(task), ...acceptance].map((command) => ({ name: command, command }));
}
