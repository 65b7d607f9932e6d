import path from 'node:path';
import { bytesIn } from '../io/disk.ts';
import { listDir } from '../io/files.ts';
import { isDirectory } from '../io/find-up.ts';
import { exists } from '../io/links.ts';
import { ownFolder } from '../kinds/board/format/places.ts';
import { tasksFolder } from '../kinds/directory/place.ts';
import { archiveFolder, packetsFolder } from '../kinds/packet/place.ts';
import type { DiskKind, DiskUse, FinishedPlaces } from '../kinds/queue/finished.ts';
import { notedOf, ownOf } from '../kinds/queue/format/record.ts';
import type { Task } from '../task/schema.ts';

/** What each task of the root takes up, the largest first. Looks at what is there, so also at what no task has any more. */
export async function diskUse({ root, dir, read }: FinishedPlaces): Promise<DiskUse[]> {
  const { tasks } = await read({ removed: true });
  const uses = new Uses();
  for (const task of tasks) uses.know(task);
  addQueue(uses, root, dir, tasks);
  addFolders(uses, 'task', 'files', path.join(root, tasksFolder));
  addFolders(uses, 'task', 'files', path.join(root, '.docket', 'agentmesh'));
  for (const folder of [packetsFolder, archiveFolder, '.docket/packet'])
    addFolders(uses, 'packet', 'files', path.join(root, folder));
  addFolders(uses, 'board', 'attempts', path.join(root, ownFolder, 'attempts'));
  addFolders(uses, 'board', 'evidence', path.join(root, ownFolder, 'evidence'));
  return uses.all();
}

function addQueue(uses: Uses, root: string, dir: string, tasks: readonly Task[]): void {
  const clones = path.join(dir, 'clones');
  const runs = path.join(root, '.takt', 'runs');
  for (const task of tasks) {
    const { workspace, runSlug } = notedOf(task);
    if (workspace !== undefined && path.dirname(workspace) !== clones)
      uses.add('queue', task.id, 'workspace', workspace);
    if (runSlug !== undefined) uses.add('queue', task.id, 'runs', path.join(runs, runSlug));
  }
  for (const name of listDir(clones)) uses.add('queue', ownerOf(name), 'workspace', path.join(clones, name));
  addFolders(uses, 'queue', 'attempts', path.join(dir, 'attempts'));
  addFolders(uses, 'queue', 'evidence', path.join(dir, 'evidence'));
}

/** One that is being made, or on its way out, has the task's id in the middle of its name. */
function ownerOf(name: string): string {
  return /^\.docket-(?:half|gone)\.([^.]+)\./.exec(name)?.[1] ?? name;
}

function addFolders(uses: Uses, layout: DiskUse['layout'], kind: DiskKind, folder: string): void {
  for (const id of listDir(folder))
    if (isDirectory(path.join(folder, id))) uses.add(layout, id, kind, path.join(folder, id));
}

class Uses {
  readonly #uses = new Map<string, DiskUse>();
  readonly #tasks = new Map<string, Task>();

  know(task: Task): void {
    this.#tasks.set(task.id, task);
  }

  add(layout: DiskUse['layout'], id: string, kind: DiskKind, place: string): void {
    if (!exists(place)) return;
    const bytes = bytesIn(place);
    const use = this.#useOf(layout, id);
    use.bytes += bytes;
    use.parts.push({ kind, path: place, bytes });
  }

  all(): DiskUse[] {
    return [...this.#uses.values()].toSorted((a, b) => b.bytes - a.bytes || (a.id < b.id ? -1 : 1));
  }

  #useOf(layout: DiskUse['layout'], id: string): DiskUse {
    const key = `${layout} ${id}`;
    const task = layout === 'queue' ? this.#tasks.get(id) : undefined;
    const about =
      task?.removedAt === undefined && task ? { name: ownOf(task).name, status: task.status } : {};
    const use = this.#uses.get(key) ?? { layout, id, ...about, bytes: 0, parts: [] };
    this.#uses.set(key, use);
    return use;
  }
}
