import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { iso } from '../../io/clock.ts';
import { changedAt } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import { readTextFile } from '../../io/text-file.ts';
import { maskWords } from '../../settings/masking.ts';
import type { Project } from '../../settings/project.ts';
import { execute } from '../../store/execute.ts';
import type { Store } from '../../store/store.ts';
import type { CommandOf } from '../../task/command.ts';
import { decide } from '../../task/decide.ts';
import { evolve } from '../../task/evolve.ts';
import type { Task } from '../../task/schema.ts';
import { refused } from '../refused.ts';
import { readNotes } from './context.ts';
import { adoptionOf, type ReadFile } from './format/adoption.ts';
import { notesFile } from './format/new-task.ts';
import type { TaskPlace } from './place.ts';

const longestResult = 4 * 1024 * 1024;

/** The task with what another tool began, as the next writer will take it in. Reads only; its times stay. */
export function withForeign(task: Task, dir: string): Task {
  const command = adoptionOf(task, readerOf(dir));
  if (!command) return task;
  const decision = decide({ get: () => task }, command, task.updatedAt);
  if (!decision.ok) return task;
  const stamp = { v: 1, seq: task.rev, at: task.updatedAt } as const;
  return decision.events.reduce<Task>((now, event) => evolve(now, { ...event, ...stamp }) ?? now, task);
}

/** Takes in what another tool began, before anything else is written. */
export async function adoptForeign(store: Store, where: Project, place: TaskPlace): Promise<void> {
  const task = await store.get(place.id);
  const command = task && adoptionOf(task, readerOf(place.dir));
  if (!command) return;
  const gates = await Promise.all(command.gates.map((gate) => withNotes(gate, store, where, place)));
  const done = await execute(store, { ...command, gates }, { now: iso(where.clock) });
  if (!done.ok) throw refused(done.refusal, place.id);
}

/** Nothing outside the task directory is read: a name in it may be a link. */
function readerOf(dir: string): ReadFile {
  return (name) => {
    try {
      return readTextFile(placeInside(dir, path.join(dir, name)), longestResult);
    } catch (error) {
      if (error instanceof DocketError) return undefined; // no result that can be read is no result
      throw error;
    }
  };
}

type Opened = CommandOf<'adopt'>['gates'][number];

/** Notes that were written after the question was asked are an answer to it; older ones are not. */
async function withNotes(gate: Opened, store: Store, where: Project, { dir }: TaskPlace): Promise<Opened> {
  try {
    const now = await maskWords(where, readNotes(dir));
    const written = changedAt(path.join(dir, notesFile));
    const isNewer = gate.when !== undefined && written !== undefined && written > Date.parse(gate.when);
    const before = isNewer ? now.split('\n').filter(isPlaceholder).join('\n') : now;
    return { ...gate, notes: await store.blobs.put(Buffer.from(before)) };
  } catch (error) {
    if (!(error instanceof DocketError) || error.code === 'DISK_FULL') throw error;
    where.warn(`${error.message} (new notes will not answer ${gate.gate})`);
    return gate;
  }
}

/** A heading, or an item in brackets: what tools write into new notes. */
function isPlaceholder(line: string): boolean {
  return /^\s*(?:#.*|- \(.*\))?\s*$/.test(line);
}
