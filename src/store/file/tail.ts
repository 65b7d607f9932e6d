import { FileWatch } from '../../io/watch.ts';
import type { Event } from '../../task/schema.ts';
import type { Journal } from './journal.ts';
import { archivedJournals, hasSnapshot, readOn } from './load.ts';
import { type Place, journalAt } from './place.ts';
import { readSnapshot } from './snapshot.ts';

/** Everything after a point, then what comes, without a lock and without writing. */
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
  try {
    for (let begun = false; !signal.aborted;) {
      // Until there is a journal nothing is known, not even whether others came before it.
      if (!begun && journal.open()) {
        begin(place, journal, after, collect);
        begun = true;
      }
      if (begun) readOn(place, journal, collect);
      const batch = events;
      events = [];
      for (const event of batch) {
        if (signal.aborted) return;
        yield event;
      }
      if (batch.length === 0) await watch.changed(signal);
    }
  } finally {
    watch.close();
    journal.close();
  }
}

/** What was put away before this journal began, if it is wanted; else on from a snapshot. */
function begin(place: Place, journal: Journal, after: number, collect: (event: Event) => void): void {
  for (const archived of archivedJournals(place, after, journal.base)) {
    archived.readNew(collect);
    archived.close();
  }
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
