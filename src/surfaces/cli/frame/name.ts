import type { Task } from '../../../task/schema.ts';

/** What people call a task: the name of its entry where its layout has one, else its id. */
export function nameOf(task: Task): string {
  for (const fields of Object.values(task.extras)) {
    const name = fields['name'];
    if (typeof name === 'string' && name !== '') return name;
  }
  return task.id;
}
