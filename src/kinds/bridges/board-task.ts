import path from 'node:path';
import { sizeAndInode } from '../../io/files.ts';
import type { Project } from '../../settings/project.ts';
import type { TaskIndex } from '../../store/store.ts';
import { logFile } from '../board/format/places.ts';

/** The board as it is, without a lock and without writing a byte. Undefined: there is none. */
export async function readBoard(where: Pick<Project, 'root' | 'clock'>): Promise<TaskIndex | undefined> {
  if (sizeAndInode(path.join(where.root, logFile)) === undefined) return undefined;
  const { readBoard: boardReader } = await import('../board/look.ts');
  return boardReader(where).read({}, (tasks) => tasks);
}
