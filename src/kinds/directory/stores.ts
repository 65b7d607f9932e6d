import type { Project } from '../../settings/project.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { readOne, withOne, type FoundOne } from '../one-store.ts';
import { adoptForeign, withForeign } from './adopt-foreign.ts';
import type { TaskDirectory } from './api.ts';
import { agentmeshLayout } from './format/layout.ts';
import { lazyTaskLayout } from './format/log.ts';
import { assertTask, tasksFolder, type TaskPlace } from './place.ts';

export type { Project };

export async function readTask(where: Project, id: string): Promise<FoundOne> {
  const place = assertTask(where.root, id);
  const found = await readOne(where, place, lazyTaskLayout);
  return { ...found, task: withForeign(found.task, place.dir) };
}

export function withStore<T>(
  where: Project,
  place: TaskPlace,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  return withOne(where, place, agentmeshLayout, async (store) => {
    await adoptForeign(store, where, place);
    return use(store);
  });
}

export function shown(task: Task): TaskDirectory {
  return {
    id: task.id,
    dir: `${tasksFolder}/${task.id}`,
    file: agentmeshLayout.describe(task) ?? {},
    task,
  };
}
