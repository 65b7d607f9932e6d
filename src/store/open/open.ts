import type { Clock } from '../../io/clock.ts';
import { openFileReader } from '../file/file-reader.ts';
import type { FileStore, FileStoreOptions, StorePlace, StoreReader } from '../store.ts';

/** Who only looks: nothing that a writer needs is loaded for it. */
export function openReader(place: StorePlace, clock: Clock): StoreReader {
  return openFileReader(place, clock);
}

/** Open for writing. Makes what is not there. */
export async function openStore(options: FileStoreOptions): Promise<FileStore> {
  const { openFileStore } = await import('../file/file-store.ts');
  return openFileStore(options);
}
