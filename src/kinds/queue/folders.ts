import path from 'node:path';
import { listDir } from '../../io/files.ts';
import type { StorePlace } from '../../store/store.ts';
import { foldersIn, type DiskFolder, type Look } from '../kind.ts';
import { notedOf, ownOf } from './format/record.ts';

/** The folders of the queue's tasks, also of those that were deleted. */
export async function queueFolders(look: Look, store: StorePlace): Promise<DiskFolder[]> {
  const { root } = look;
  const { tasks } = await look.read(store);
  const own = path.relative(root, store.dir);
  const clones = path.join(store.dir, 'clones');
  const about = new Map(
    tasks.flatMap((task) =>
      task.removedAt === undefined ? [[task.id, { name: ownOf(task).name, status: task.status }]] : [],
    ),
  );
  const folders: DiskFolder[] = [
    ...tasks.flatMap((task): DiskFolder[] => {
      const { workspace, runSlug } = notedOf(task);
      return [
        ...(workspace !== undefined && path.dirname(workspace) !== clones
          ? [{ id: task.id, holds: 'workspace' as const, path: workspace }]
          : []),
        ...(runSlug !== undefined
          ? [{ id: task.id, holds: 'runs' as const, path: path.join(root, '.takt', 'runs', runSlug) }]
          : []),
      ];
    }),
    ...listDir(clones).map((name) => ({
      id: ownerOf(name),
      holds: 'workspace' as const,
      path: path.join(clones, name),
    })),
    ...foldersIn(root, 'attempts', path.join(own, 'attempts')),
    ...foldersIn(root, 'evidence', path.join(own, 'evidence')),
  ];
  return folders.map((folder) => ({ ...folder, task: about.get(folder.id) ?? { deleted: true } }));
}

/** One that is being made, or on its way out, has the task's id in the middle of its name. */
function ownerOf(name: string): string {
  return /^\.docket-(?:half|gone)\.([^.]+)\./.exec(name)?.[1] ?? name;
}
