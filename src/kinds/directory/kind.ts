import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import type { StorePlace } from '../../store/store.ts';
import { isTaskId } from '../../task/id.ts';
import { foldersIn, kindOfFolders, type Kind } from '../kind.ts';
import { withForeign } from './adopt-foreign.ts';
import type { TaskDirectory } from './api.ts';
import { lazyTaskLayout } from './format/log.ts';
import { placeOfTask, proofFolder, taskIds, tasksFolder } from './place.ts';

export const directoryKind: Kind<{ directory: TaskDirectory }> = {
  name: 'task',
  where: `the task directories (${tasksFolder})`,
  ...kindOfFolders({
    kind: 'task',
    names: taskIds,
    storeOf,
    taskIn(tasks, name, store) {
      const task = tasks.find(({ id }) => id === name);
      return task && withForeign(task, store.root);
    },
  }),
  idOf: ({ id }) => id,
  count: (stores) =>
    stores === 0 ? '' : `${stores} ${stores === 1 ? 'task directory' : 'task directories'}`,
  ordered: async (project) => (await import('./due.ts')).orderedDirectories(project),
  holdsMany: false,
  attemptsBy: 'instance',
  nameOf: ({ id }) => id,
  attempts: ({ store }) => path.join(store.root, 'agents'),
  trail: ({ store }) => store.dir,
  evidence: ({ name }) => path.join(tasksFolder, name, ...proofFolder),
  details: async (_, { task }) => ({ directory: (await import('./stores.ts')).shown(task) }),
  validate: async (project, { name }) =>
    (await import('./directories.ts')).taskDirectories(project).validate(name),
  folders: async ({ root }) => foldersIn(root, 'files', tasksFolder, '.docket/agentmesh'),
};

/** A name comes from a person: it is checked before it becomes a path. */
function storeOf(root: string, name: string): StorePlace | undefined {
  if (!isTaskId(name)) return undefined;
  const { dir, own } = placeOfTask(root, name);
  return isDirectory(dir) ? { root: dir, dir: own, layout: lazyTaskLayout } : undefined;
}
