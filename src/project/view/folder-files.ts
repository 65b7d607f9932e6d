import { stampInto, stampLength } from '../../io/stamp.ts';
import { taskIds, tasksFolder } from '../../kinds/directory/place.ts';
import { packetIds, packetsFolder } from '../../kinds/packet/place.ts';

/** Layouts whose tasks lie in a folder each, and have a journal each. */
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

const ofOpen = 3;

export function numbersOf(isOpen: boolean): number {
  return (isOpen ? ofOpen : 1) * stampLength;
}

/** Of all of them, one after the other. */
export function folderStamps(
  kind: FolderKind,
  root: string,
  names: readonly string[],
  open: ReadonlySet<string>,
): Float64Array {
  const files = folderFiles[kind];
  const stamps = new Float64Array(
    names.length * numbersOf(false) + open.size * (numbersOf(true) - numbersOf(false)),
  );
  let at = 0;
  for (const name of names) {
    const isOpen = open.has(name);
    stampInto(stamps, at, files.journal(root, name));
    if (isOpen) {
      stampInto(stamps, at + stampLength, files.mirror(root, name));
      stampInto(stamps, at + 2 * stampLength, files.note(root, name));
    }
    at += numbersOf(isOpen);
  }
  return stamps;
}
