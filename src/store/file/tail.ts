import { FileWatch } from '../../io/watch.ts';
import type { Event } from '../../task/schema.ts';
import type { Journal } from './journal.ts';
import { archivedJournals, hasSnapshot, readOn } from './load.ts';
import { type Place, journalAt } from './place.ts';
import { readSnapshot } from './snapshot.ts';

/**
 * Everything after a point, then what comes, without a lock and without writing. A long past is read piece by piece:
 * memory holds what one piece of a journal does.
 */
export async function* tailJournal(
  place: Place,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncIterable<Event> {
  const journal = journalAt(place, 'read');
  const watch = new FileWatch(place.journal);
  let events: Event[] = [];
  const collect = (event: Event) => {
    if (event.seq > after) events.push(event);
  };
  const isEnough = (): boolean => events.length > 0;
  const taken = (): Event[] => {
    const batch = events;
    events = [];
    return batch;
  };
  const isLive = () => !signal.aborted;
  try {
    // Until there is a journal nothing is known, not even whether others came before it.
    while (isLive() && !journal.open()) await watch.changed(signal);
    for (const archived of isLive() ? archivedJournals(place, after, journal.base) : []) {
      try {
        let offset: number;
        do {
          ({ offset } = archived);
          archived.readNew(collect, undefined, isEnough);
          for (const event of taken()) {
            if (!isLive()) return;
            yield event;
          }
        } while (archived.offset > offset);
      } finally {
        archived.close();
      }
    }
    if (isLive()) seekSnapshot(place, journal, after);
    while (isLive()) {
      readOn(place, journal, collect, isEnough);
      const batch = taken();
      for (const event of batch) {
        if (!isLive()) return;
        yield event;
      }
      if (batch.length === 0) await watch.changed(signal);
    }
  } finally {
    watch.close();
    journal.close();
  }
}

/** The last event of a store. Reads no more than what its snapshot does not hold. */
export function lastEvent(place: Place): Event | undefined {
  const journal = journalAt(place, 'read');
  let last: Event | undefined;
  const read = (one: Journal): void => one.readNew((event) => (last = event));
  try {
    if (!journal.open()) return undefined;
    seekSnapshot(place, journal, Infinity);
    read(journal);
    last ??= journal.lastRead();
    if (last) return last;
    journal.rewind();
    read(journal);
    for (const archived of last ? [] : archivedJournals(place, journal.base - 1, journal.base)) {
      read(archived);
      archived.close();
    }
    return last;
  } finally {
    journal.close();
  }
}

/** Past what a snapshot holds, where none of it is wanted. */
function seekSnapshot(place: Place, journal: Journal, after: number): void {
  const snapshot = hasSnapshot(place) ? readSnapshot(place.snapshot)?.position : undefined;
  if (snapshot && snapshot.seq <= after) journal.seek(snapshot);
}

/** Every fact about a task that the journals hold, oldest first, also from those that were put away. Reads only. */
export function readHistory(place: Place, taskId: string): Event[] {
  const journal = journalAt(place, 'read');
  const events: Event[] = [];
  const collect = (event: Event): void => {
    if (event.taskId === taskId) events.push(event);
  };
  try {
    if (!journal.open()) return [];
    for (const archived of archivedJournals(place, 0, journal.base)) {
      archived.readNew(collect);
      archived.close();
    }
    journal.readNew(collect);
    return events;
  } finally {
    journal.close();
  }
}
