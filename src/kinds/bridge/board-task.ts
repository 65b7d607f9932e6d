import path from 'node:path';
import type { Where } from '../../app/one-store.ts';
import { sizeAndInode } from '../../io/files.ts';
import type { TaskIndex } from '../../store/store.ts';
import { logFile } from '../board/format/places.ts';

/** The board as it is, without a lock and without writing a byte. Undefined: there is none. */
export async function readBoard(where: Pick<Where, 'root' | 'clock'>): Promise<TaskIndex | undefined> {
  if (sizeAndInode(path.join(where.root, logFile)) === undefined) return undefined;
  const { storeOf } = await import('../../app/view/read-store.ts');
  const store = await storeOf('board', where);
  return store.read({}, (tasks) => tasks);
}
