import path from 'node:path';
import type { Usage } from '../../adapters/adapter.ts';
import { plus } from '../../adapters/fold.ts';
import { readEvidence, type ShownEvidence } from '../../engine/evidence-book.ts';
import { listDir } from '../../io/files.ts';
import { isDirectory } from '../../io/find-up.ts';
import { plainStat } from '../../io/plain-file.ts';
import { type StepDetails, stepsOf } from '../../render/steps.ts';
import type { StoreView } from '../../store/view.ts';
import type { UnmetNeed } from '../../task/needs.ts';
import type { Task } from '../../task/schema.ts';
import { type Sides, sidesOf } from '../bridges/sides.ts';
import { type Action, actionsFor } from './actions.ts';
import { type Noted, notedOf, ownOf, type Wishes, wishesOf } from './format/record.ts';
import type { QueueProject } from './kind.ts';

/** Everything that is known about one task, from the journal's fold and by looking which files are there. */
export function detailsOf(
  task: Task,
  { tasks, waits }: StoreView,
  where: Pick<QueueProject, 'root' | 'dir'>,
): TaskDetails {
  const used = Object.values(task.attempts ?? {}).flatMap(({ end }) => end?.usage ?? []);
  const unmet = waits[task.id] ?? [];
  const wanted = new Set(unmet.flatMap(({ on, lost }) => (lost ? [on, lost.on] : [on])));
  return {
    task,
    name: ownOf(task).name,
    waits: unmet,
    names: Object.fromEntries(
      tasks.filter(({ id }) => wanted.has(id)).map((other) => [other.id, ownOf(other).name]),
    ),
    steps: stepsOf(task),
    ...(used.length > 0 && { usage: used.reduce(plus) }),
    noted: notedOf(task),
    wishes: wishesOf(task),
    files: filesOf(task, where),
    evidence: readEvidence(
      where.root,
      path.relative(where.root, path.join(where.dir, 'evidence', task.id)),
      task.id,
    ),
    sides: sidesOf('queue', task),
    actions: task.removedAt === undefined ? actionsFor(task) : ['show'],
  };
}

/** Only what is there. The names come from files that anybody may write, so nothing but their place is told. */
function filesOf(task: Task, { root, dir }: Pick<QueueProject, 'root' | 'dir'>): TaskDetails['files'] {
  const { taskDir, contentFile } = wishesOf(task);
  const { runSlug } = notedOf(task);
  const run = runSlug === undefined ? undefined : path.join('.takt', 'runs', path.basename(runSlug));
  const reports = run === undefined ? undefined : path.join(run, 'reports');
  const named: [string, string | undefined][] = [
    ['order', taskDir && path.join(taskDir, 'order.md')],
    ['order', contentFile],
    ['attachments', taskDir && path.join(taskDir, 'attachments')],
    ['run', run],
    ...reportsIn(root, reports).map((file): [string, string] => ['report', file]),
    ['attempts', path.relative(root, path.join(dir, 'attempts', task.id))],
  ];
  return named.flatMap(([what, name]) =>
    name !== undefined && isThere(path.resolve(root, name)) ? [{ what, path: name }] : [],
  );
}

const mostReports = 50;

function reportsIn(root: string, folder: string | undefined): string[] {
  if (folder === undefined || !isDirectory(path.join(root, folder))) return [];
  return listDir(path.join(root, folder))
    .toSorted()
    .slice(0, mostReports)
    .map((name) => path.join(folder, name));
}

function isThere(place: string): boolean {
  return isDirectory(place) || plainStat(place) !== undefined;
}

export interface TaskDetails {
  task: Task;
  name: string;
  /** The tasks that must be done first and are not. */
  waits: UnmetNeed[];
  /** What they are called, by id. */
  names: Record<string, string>;
  steps: StepDetails[];
  /** Of the last attempt of each step; absent: nobody told. */
  usage?: Usage;
  noted: Noted;
  wishes: Wishes;
  /** What there is to read, from the root. */
  files: { what: string; path: string }[];
  /** What docket itself saw of its work. */
  evidence: ShownEvidence[];
  /** Tasks of other layouts that belong to it. */
  sides: Sides;
  /** What can be done with it now. */
  actions: readonly Action[];
}
