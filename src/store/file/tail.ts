import { FileWatch } from '../../io/watch.ts';
import type { Event } from '../../task/schema.ts';
import { archivedJournals, readOn } from './archive.ts';
import type { Journal } from './journal.ts';
import { hasSnapshot } from './load.ts';
import { journalAt, type Place } from './place.ts';
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
