import { areSettled, stampInto, stampLength, stampsOf, stampText } from '../../io/stamp.ts';
import { taskIds, tasksFolder } from '../../kinds/directory/place.ts';
import { packetIds, packetsFolder } from '../../kinds/packet/place.ts';
import type { Project } from '../../settings/project.ts';
import type { Task } from '../../task/schema.ts';
import { goneIn } from './gone.ts';
import { sightOfFolders, type Sight } from './sight.ts';
import type { ViewFinding } from './types.ts';

/** Kinds whose tasks lie in a folder each, and have a journal each. */
export type FolderKind = 'task' | 'packet';

/**
 * The files of a folder whose stamps say that it is as it was. The journal comes first: every command writes to it. What
 * is over stays so, whatever somebody writes into its file (`agentmesh/moves.ts`; a manifest has no state), so of most
 * folders that is all. Of the others people's own file counts too, and docket's note of what it last wrote there. The
 * folder's own time would not do: it stays the same when a file in it is edited.
 */
interface FolderFiles {
  /** Where they lie: it has another time as soon as one comes or goes. */
  folder: string;
  names: (root: string) => string[];
  journal: (root: string, name: string) => string;
  mirror: (root: string, name: string) => string;
  note: (root: string, name: string) => string;
}

export const folderFiles: Readonly<Record<FolderKind, FolderFiles>> = {
  task: {
    folder: tasksFolder,
    names: taskIds,
    journal: (root, name) => `${root}/${tasksFolder}/${name}/events.jsonl`,
    mirror: (root, name) => `${root}/${tasksFolder}/${name}/task.yaml`,
    note: (root, name) => `${root}/.docket/agentmesh/${name}/projection.json`,
  },
  packet: {
    folder: packetsFolder,
    names: packetIds,
    journal: (root, name) => `${root}/${packetsFolder}/${name}/state/docket/journal.jsonl`,
    mirror: (root, name) => `${root}/${packetsFolder}/${name}/manifest.yaml`,
    note: (root, name) => `${root}/${packetsFolder}/${name}/state/docket/projection.json`,
  },
};

export interface FoldersCache {
  /** The stamp of where they lie; '': it proves nothing. */
  folder: string;
  /** One to a line. */
  names: string;
  /** Of each name: when it ended, behind `d` or `c` (done, canceled), if only its journal is stamped; else nothing. */
  over: string;
  /** Of their files, in the order of the names. Of what cannot be believed: numbers that no file has. */
  stamps: string;
  /** Of all that are not over, and of the latest that are. */
  tasks: Record<string, FolderTask>;
}

export interface FolderTask {
  task: Task;
  /** When its file was written, in ms: no docket has taken it in yet, so no journal says when it was made. */
  at?: number;
}

export interface FoldersLook {
  /** Undefined: there are none. */
  sight: Sight | undefined;
  findings: ViewFinding[];
  /** What is to be remembered; absent: what was still holds. */
  fresh?: FoldersCache;
}

/** Reads only folders that have changed since the last look. */
export async function lookAtFolders(
  kind: FolderKind,
  where: Project,
  known: FoldersCache | undefined,
): Promise<FoldersLook> {
  const { root } = where;
  const place = stampsOf([`${root}/${folderFiles[kind].folder}`]);
  const folder = areSettled(place, Date.now()) ? stampText(place) : '';
  if (known && folder !== '' && known.folder === folder) {
    const [names, over] = [known.names.split('\n'), known.over.split('\n')];
    const stamps = folderStamps(kind, root, names, over);
    const tasks = Object.values(known.tasks).map(({ task }) => task);
    if (stampText(stamps) === known.stamps && (await goneIn(tasks, 'running')).size === 0)
      return { sight: sightOfFolders(kind, names, over, known.tasks), findings: [] };
  }
  const names = folderFiles[kind].names(root);
  if (names.length === 0) return { sight: undefined, findings: [] };
  const { readFolders } = await import('./read-folders.ts');
  return readFolders(kind, where, { folder, names }, known);
}

/** How many numbers the stamps of a folder are. */
export function numbersOf(over: string | undefined): number {
  return (over ? 1 : 3) * stampLength;
}

/** Of all of them, one after the other. */
export function folderStamps(
  kind: FolderKind,
  root: string,
  names: readonly string[],
  over: readonly string[],
): Float64Array {
  const files = folderFiles[kind];
  const stamps = new Float64Array(over.reduce((sum, one) => sum + numbersOf(one), 0));
  let at = 0;
  names.forEach((name, index) => {
    stampInto(stamps, at, files.journal(root, name));
    if (!over[index]) {
      stampInto(stamps, at + stampLength, files.mirror(root, name));
      stampInto(stamps, at + 2 * stampLength, files.note(root, name));
    }
    at += numbersOf(over[index]);
  });
  return stamps;
}
