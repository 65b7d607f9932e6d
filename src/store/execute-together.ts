import { DocketError } from '../errors.ts';
import type { Command } from '../task/command.ts';
import { decide } from '../task/decide.ts';
import { evolve } from '../task/evolve.ts';
import type { Event, NewEvent, Task } from '../task/schema.ts';
import type { Executed } from './execute.ts';
import type { Store } from './store.ts';

const maxTries = 100;

/**
 * Commands about one task as one transaction: all of them happen, or none. Each is decided on what the ones before it
 * would make of the task. For commands that look at no other task. A function makes them from the task as it is then.
 */
export async function executeTogether(
  store: Store,
  id: string,
  wanted: readonly Command[] | ((task: Task) => readonly Command[]),
  now: string,
): Promise<Executed> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await store.get(id);
    const commands = typeof wanted !== 'function' ? wanted : found ? wanted(found) : [];
    if (found && commands.length === 0) return { ok: true, task: found, events: [], duplicate: false };
    const events: NewEvent[] = [];
    let task: Task | undefined = found;
    for (const command of commands) {
      const decision = decide({ get: (other) => (other === id ? task : undefined) }, command, now);
      if (!decision.ok) return decision;
      events.push(...decision.events);
      for (const event of decision.events) task = evolve(task, stamped(event, task, now));
    }
    const outcome = await store.transact({ events, expect: { [id]: found?.rev ?? 0 } });
    if (outcome.kind !== 'committed') continue;
    const after = outcome.events.reduce(evolve, found);
    if (!after) throw new Error(`task ${id} is gone after ${commands.map(({ type }) => type).join(', ')}`);
    return { ok: true, task: after, events: outcome.events, duplicate: false };
  }
  throw new DocketError('CONFLICT', `task ${id} changed ${maxTries} times meanwhile`, 'try again', { id });
}

/** As it would be in the journal: only for the decision about what comes next. */
function stamped(event: NewEvent, task: Task | undefined, now: string): Event {
  return { ...event, v: 1, seq: (task?.rev ?? 0) + 1, at: now };
}
