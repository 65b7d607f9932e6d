import path from 'node:path';
import { sizeAndInode } from '../../io/files.ts';
import { logFile, ownFolder } from '../../layout/board/places.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { Where } from '../one-store.ts';

/** The board as it is, without a lock and without writing a byte. Undefined: there is none. */
export async function readBoard({ root, clock }: Pick<Where, 'root' | 'clock'>): Promise<Ledger | undefined> {
  if (sizeAndInode(path.join(root, logFile)) === undefined) return undefined;
  const [{ readQuietLog }, { log }] = await Promise.all([
    import('../../store/quiet-reader.ts'),
    import('../../layout/board/log.ts'),
  ]);
  return readQuietLog({ root, dir: path.join(root, ownFolder), log, clock });
}
