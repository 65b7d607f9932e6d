import type { Event } from '../../task/schema.ts';
import { archivedJournals } from './archive.ts';
import { journalAt, type Place } from './place.ts';

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
