import { iso, type Clock } from '../../io/clock.ts';
import { executeTogether } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import type { Command } from '../../task/command.ts';
import type { Delivery } from '../../task/delivery.ts';
import type { Task } from '../../task/schema.ts';
import { refused } from '../refused.ts';
import type { NotedSet } from './deliver.ts';
import { withNoted } from './format/record.ts';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type Entry = Without<Command, 'id' | 'by'>;

/** Writes down what docket knows about a task now, and what follows from it: all of it or nothing. */
export async function noteOn(
  { store, clock, by = 'docket' }: { store: Store; clock: Clock; by?: string },
  id: string,
  { delivery, ...set }: NotedSet & { delivery?: Delivery },
  follows: readonly Entry[] = [],
): Promise<Task> {
  const task = await store.get(id);
  const extras = task && Object.keys(set).length > 0 ? { extras: withNoted(task.extras, set) } : {};
  const edits = { ...extras, ...(delivery && { delivery }) };
  const edit: Entry[] = Object.keys(edits).length > 0 ? [{ type: 'edit', set: edits }] : [];
  const commands = [...follows, ...edit].map((entry) => ({ ...entry, id, by }));
  const done = await executeTogether(store, id, commands, iso(clock));
  if (!done.ok) throw refused(done.refusal, id);
  return done.task;
}
