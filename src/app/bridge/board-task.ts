import path from 'node:path';
import { sizeAndInode } from '../../io/files.ts';
import { logFile } from '../../kinds/board/format/places.ts';
import type { TaskIndex } from '../../store/store.ts';
import type { Where } from '../one-store.ts';

/** The board as it is, without a lock and without writing a byte. Undefined: there is none. */
export async function readBoard(where: Pick<Where, 'root' | 'clock'>): Promise<TaskIndex | undefined> {
  if (sizeAndInode(path.join(where.root, logFile)) === undefined) return undefined;
  const { storeOf } = await import('../view/read-store.ts');
  const store = await storeOf('board', where);
  return store.read({}, (tasks) => tasks);
}
