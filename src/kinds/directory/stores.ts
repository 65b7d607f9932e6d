import { readOne, withOne, type Where } from '../../app/one-store.ts';
import type { FileStore } from '../../store/file/file-store.ts';
import type { Finding } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { adoptForeign, withForeign } from './adopt-foreign.ts';
import type { TaskDirectory } from './api.ts';
import { agentmeshLayout } from './format/layout.ts';
import { assertTask, tasksFolder, type TaskPlace } from './place.ts';

export type { Where };

export function readTask(where: Where, id: string): { task: Task; findings: Finding[] } {
  const place = assertTask(where.root, id);
  const { task, findings } = readOne(where, place, agentmeshLayout);
  return { task: withForeign(task, place.dir), findings };
}

export function withStore<T>(
  where: Where,
  place: TaskPlace,
  use: (store: FileStore) => Promise<T>,
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
