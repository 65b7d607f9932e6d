import fs from 'node:fs';
import path from 'node:path';
import { evolve } from '../../src/task/evolve.ts';
import type { Event, Task } from '../../src/task/schema.ts';

/** Everything that ever happened in a store, read line by line and without the store's own reading code. */
export function readHistory(dir: string): Event[] {
  const archive = path.join(dir, 'archive');
  const old = fs.existsSync(archive) ? fs.readdirSync(archive).toSorted() : [];
  const files = [...old.map((name) => path.join(archive, name)), path.join(dir, 'journal.jsonl')];
  return files.flatMap((file) => {
    const [, ...lines] = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean); // the first is the header
    return lines.map((line) => {
      const { crc: _, ...event } = JSON.parse(line) as Event & { crc: string };
      return event;
    });
  });
}

/** Replayed from zero: the tasks at the end, and the status that each had at each of its revisions. */
export function replay(events: readonly Event[]): {
  tasks: Map<string, Task>;
  statuses: Map<string, string>;
} {
  const tasks = new Map<string, Task>();
  const statuses = new Map<string, string>();
  for (const event of events) {
    const task = evolve(tasks.get(event.taskId), event);
    if (!task) throw new Error(`event ${event.seq} is about a task that was never created`);
    tasks.set(task.id, task);
    statuses.set(`${task.id}@${task.rev}`, task.status);
  }
  return { tasks, statuses };
}

const endings = new Set(['task.requeued', 'task.done', 'task.blocked', 'task.failed', 'task.canceled']);

export interface Hold {
  id: string;
  token: number;
  owner: string;
  end?: { seq: number; type: string; by: string };
}

/** Who had which task from when to when, by the order of the journal. A second start without an end in between is a fault. */
export function holdsOf(events: readonly Event[]): { holds: Hold[]; double: string[] } {
  const open = new Map<string, Hold>();
  const holds: Hold[] = [];
  const double: string[] = [];
  for (const event of events) {
    const current = open.get(event.taskId);
    if (event.type === 'task.started') {
      if (current) double.push(`${event.taskId}: started at ${current.token} and again at ${event.seq}`);
      const hold: Hold = { id: event.taskId, token: event.seq, owner: event.data.owner };
      open.set(event.taskId, hold);
      holds.push(hold);
    } else if (endings.has(event.type) && current) {
      current.end = { seq: event.seq, type: event.type, by: event.by };
      open.delete(event.taskId);
    }
  }
  return { holds, double };
}
