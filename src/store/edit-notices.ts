import path from 'node:path';
import { command, fix } from '../errors/command.ts';
import { someNames } from '../errors/some-names.ts';
import { createFile, readBytes } from '../io/files.ts';
import type { Wrong } from '../schema/problem.ts';
import type { Task } from '../task/schema.ts';
import type { Finding } from './store.ts';

/** Every problem of one entry, each with its place. */
export function findingsOf({ more = [], passes: _, harmless, ...wrong }: Wrong, file: string): Finding[] {
  const severity = harmless ? 'warning' : 'error';
  return [{ severity, path: file, ...wrong }, ...more.flatMap((one) => findingsOf(one, file))];
}

/** The notice for a person who marked a task done while docket was running it. */
export function refusedEndText(task: Task, name: string, file: string): string {
  return task.status === 'running'
    ? fix`${file}: task ${name} was marked done while ${task.owner ?? 'docket'} is running it. The edit was ignored: the run decides. To stop the run: ${command`cancel ${task.id}`}`
        .text
    : `${file}: task ${name} was marked done while it was running, and the run ended as ${task.status}. The edit was ignored. To mark the task done anyway, edit the file again`;
}

/** The notice about tasks that a person took out of the file. */
export function removedText(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const back = names.map((name) => String(command`restore ${name}`)).join('; ');
  return [`was saved without ${names.join(', ')}: removed from the queue (to undo: ${back})`];
}

/** The notice for a person who saved an older copy with statuses that have changed since. */
export function staleText(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const list = someNames(names, 5);
  return [
    fix`was saved from an older copy: ${list} changed since and ${names.length === 1 ? 'stays' : 'stay'} as docket knows ${names.length === 1 ? 'it' : 'them'} (to run a task again: ${command`retry <task>`}, or change only its status)`
      .text,
  ];
}

/** A saved file that docket writes over, because it ends in the middle or lists no task at all. */
export function keepAside(
  file: string,
  isCut: boolean,
  { place, warn }: { place: { dir: string }; warn: (warning: string) => void },
): void {
  const bytes = readBytes(file);
  if (bytes === undefined) return;
  const aside = path.join(place.dir, `cut-${Date.now()}`);
  createFile(aside, bytes);
  const what = isCut ? 'ends in the middle, as after a save that failed' : 'was saved without any task';
  warn(`${file} ${what}: all tasks were put back; the saved file is kept in ${aside}`);
}
