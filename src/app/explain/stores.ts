import path from 'node:path';
import { isDirectory } from '../../io/find-up.ts';
import { exists } from '../../io/links.ts';
import { boardLayout } from '../../kinds/board/format/layout.ts';
import { logFile, ownFolder } from '../../kinds/board/format/places.ts';
import { agentmeshLayout } from '../../kinds/directory/format/layout.ts';
import { placeOfTask, taskIds, tasksFolder } from '../../kinds/directory/place.ts';
import { packetLayout } from '../../kinds/packet/format/layout.ts';
import { packetIdPattern } from '../../kinds/packet/format/name.ts';
import { archiveFolder, packetIds, packetsFolder, placeOfPacket } from '../../kinds/packet/place.ts';
import { queueLayout } from '../../kinds/queue/format/layout.ts';
import type { Layout } from '../../layout/layout.ts';
import type { TaskKind } from '../../render/explain/types.ts';
import { isTaskId } from '../../task/id.ts';

/** A journal of this workspace, and the files beside it. */
export interface StorePlace {
  root: string;
  dir: string;
  layout: Layout;
}

/** Where each format keeps its tasks, as people are told. */
export const lookedIn: Readonly<Record<TaskKind, string>> = {
  queue: `the queue (${queueLayout.mirror})`,
  task: `the task directories (${tasksFolder})`,
  packet: `the packets (${packetsFolder}, ${archiveFolder})`,
  board: `the board (${logFile})`,
};

/** Undefined: there is none. The same below. */
export function queueStore(root: string): StorePlace | undefined {
  const store = { root, dir: path.join(root, '.docket', 'queue'), layout: queueLayout };
  return isDirectory(store.dir) || exists(path.join(root, queueLayout.mirror)) ? store : undefined;
}

/** Also of a board whose log is gone. */
export function boardPlace(root: string): StorePlace | undefined {
  const store = { root, dir: path.join(root, ownFolder), layout: boardLayout };
  return isDirectory(store.dir) ? store : undefined;
}

export function boardStore(root: string): StorePlace | undefined {
  if (!exists(path.join(root, logFile))) return undefined;
  return { root, dir: path.join(root, ownFolder), layout: boardLayout };
}

/** Names come from people: nothing is looked up before one is known to be no path. */
export function taskStore(root: string, name: string): StorePlace | undefined {
  if (!isTaskId(name)) return undefined;
  const { dir, own } = placeOfTask(root, name);
  return isDirectory(dir) ? { root: dir, dir: own, layout: agentmeshLayout } : undefined;
}

/** Also one that is archived. */
export function packetStore(root: string, name: string): StorePlace | undefined {
  if (!packetIdPattern.test(name) || name.includes('..')) return undefined;
  const places = [placeOfPacket(root, name).dir, path.join(root, archiveFolder, name)];
  const dir = places.find((place) => isDirectory(place));
  return dir === undefined
    ? undefined
    : { root: dir, dir: path.join(dir, 'state', 'docket'), layout: packetLayout };
}

/** Those that hold one task each, by its name. */
export function* oneTaskStores(
  root: string,
): Generator<{ kind: 'task' | 'packet'; name: string; store: StorePlace }> {
  for (const name of taskIds(root)) {
    const store = taskStore(root, name);
    if (store) yield { kind: 'task', name, store };
  }
  for (const name of packetIds(root)) {
    const store = packetStore(root, name);
    if (store) yield { kind: 'packet', name, store };
  }
}
