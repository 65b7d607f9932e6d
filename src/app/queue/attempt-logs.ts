import path from 'node:path';
import { changedAt } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { plainStat } from '../../io/process/plain-file.ts';
import { places, recordedCode } from '../../io/process/supervisor.ts';
import { walk } from '../../io/walk.ts';
import type { Task } from '../../task/schema.ts';
import type { LogQuery } from './api.ts';

/** The folder of one call of an agent. */
export interface AttemptLog {
  step: string;
  attempt: number;
  dir: string;
  adapter: string;
  session?: string;
}

const deepest = 4;

/** The attempts of a task that have left something, oldest first, found by what lies there: agents write there too. */
export function attemptLogs(
  dir: string,
  task: Task,
  query: Pick<LogQuery, 'step' | 'attempt'>,
): AttemptLog[] {
  const base = path.join(dir, 'attempts', task.id);
  if (!isDirectory(base)) return [];
  const found = [...walk(base, ({ path: name }) => name.split('/').length < deepest)]
    .filter(({ kind }) => kind === 'folder')
    .flatMap(({ path: name }) => logAt(base, name, task))
    .filter(({ step, attempt }) => isWanted(step, query.step) && (query.attempt ?? attempt) === attempt);
  const began = new Map(found.map((log) => [log.dir, changedAt(places(log.dir).prompt) ?? Infinity]));
  const when = (log: AttemptLog) => began.get(log.dir) ?? Infinity;
  return found.toSorted((a, b) => when(a) - when(b) || a.attempt - b.attempt);
}

/** `<step>/<n>`; in older stores `<n>`, of the one step that a task had. */
function logAt(base: string, name: string, task: Task): AttemptLog[] {
  const dir = path.join(base, name);
  const [, step = 'work', n] = /^(?:(.+)\/)?(\d{1,9})$/.exec(name) ?? [];
  if (n === undefined || !plainStat(places(dir).stdout)) return [];
  const { adapter = '', session } = task.attempts?.[step] ?? {};
  return [{ step, attempt: Number(n), dir, adapter, ...(session !== undefined && { session }) }];
}

/** The second pass through a node is `implement--2`; what belongs to a step stands below it. */
function isWanted(step: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return step === wanted || step.startsWith(`${wanted}--`) || step.startsWith(`${wanted}/`);
}

export function hasEnded({ dir }: AttemptLog): boolean {
  return recordedCode(dir) !== undefined;
}
