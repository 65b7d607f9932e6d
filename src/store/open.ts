import type { Clock } from '../io/clock.ts';
import { openFileReader } from './file/file-reader.ts';
import type { StorePlace, StoreReader } from './store.ts';

/** Who only looks: nothing that a writer needs is loaded for it. */
export function openReader(place: StorePlace, clock: Clock): StoreReader {
  return openFileReader(place, clock);
}
