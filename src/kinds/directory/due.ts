import type { Project } from '../../settings/project.ts';
import { isOver } from '../../task/allowed.ts';
import type { OrderedWork } from '../due.ts';
import { listTasks } from './directories.ts';

/** Something was ordered for them that is not done. */
export async function orderedDirectories(project: Project): Promise<OrderedWork[]> {
  return (await listTasks(project)).tasks.flatMap(({ id, task }): OrderedWork[] => {
    const { run } = task;
    // Queued with nothing left to do: docket died while the end was proved.
    if (!run || (task.status !== 'queued' && run.steps.every((step) => isOver(run, step.id)))) return [];
    const work: OrderedWork['work'] = async (signal, onProgress) => {
      const { resumeTask } = await import('./run.ts');
      return (await resumeTask(project, id, { signal, onProgress })).task;
    };
    return [{ layout: 'task', id, title: task.title, tasks: [task], work }];
  });
}
