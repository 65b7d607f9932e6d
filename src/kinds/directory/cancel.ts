import type { Project } from '../../settings/project.ts';
import { giveUp } from '../give-up.ts';
import type { TaskDirectory } from './api.ts';
import { assertTask } from './place.ts';
import { runtimeFolder } from './runtime-folder.ts';
import { readTask, shown, withStore } from './stores.ts';

export async function cancelTask(where: Project, id: string, reason?: string): Promise<TaskDirectory> {
  const place = assertTask(where.root, id);
  await readTask(where, id);
  return withStore(where, place, async (store) =>
    shown(await giveUp(store, where, { id, reason }, (step, n) => runtimeFolder(place.dir, step, n))),
  );
}
