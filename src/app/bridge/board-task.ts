import path from 'node:path';
import { sizeAndInode } from '../../io/files.ts';
import { logFile } from '../../kinds/board/format/places.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { Where } from '../one-store.ts';

/** The board as it is, without a lock and without writing a byte. Undefined: there is none. */
export async function readBoard(where: Pick<Where, 'root' | 'clock'>): Promise<Ledger | undefined> {
  if (sizeAndInode(path.join(where.root, logFile)) === undefined) return undefined;
  const { boardLedger } = await import('../view/read-store.ts');
  return boardLedger(where);
}
