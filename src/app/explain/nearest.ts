import { DocketError } from '../../errors.ts';
import { nearest } from '../../errors/nearest.ts';
import { taskIds } from '../../kinds/directory/place.ts';
import { packetIds } from '../../kinds/packet/place.ts';
import { ownOf } from '../../kinds/queue/format/record.ts';
import type { TaskKind } from '../../render/explain/types.ts';
import { readStore } from '../../store/file/reader.ts';
import type { Task } from '../../task/schema.ts';
import type { Where } from '../one-store.ts';
import { boardStore, queueStore, type StorePlace } from './stores.ts';

/** Of each format the name that was probably meant, if one is near. */
export function nearestNames(where: Where, ref: string, kinds: readonly TaskKind[]): string[] {
  return [...new Set(kinds.flatMap((kind) => nearest(ref, names[kind](where)) ?? []))];
}

const names: Readonly<Record<TaskKind, (where: Where) => string[]>> = {
  queue: (where) => tasksIn(queueStore(where.root), where).map((task) => ownOf(task).name),
  task: ({ root }) => taskIds(root),
  packet: ({ root }) => packetIds(root),
  board: (where) => tasksIn(boardStore(where.root), where).map(({ id }) => id),
};

/** What cannot be read has no names to offer; who looks into it is told why. */
function tasksIn(store: StorePlace | undefined, { clock }: Where): Task[] {
  if (!store) return [];
  try {
    return readStore({ ...store, clock }).tasks;
  } catch (error) {
    if (error instanceof DocketError) return [];
    throw error;
  }
}
