import type { Companion, Derived, MirrorLayout } from '../../../layout/layout.ts';
import type { Task } from '../../../task/schema.ts';
import { stepsTaken } from '../../../workflow/next.ts';
import { adopt, adoptAgain } from './adopt.ts';
import { describe } from './describe.ts';
import { queueFile } from './file.ts';
import { join, render } from './join.ts';
import { refOf, taskDirPattern } from './names.ts';
import { patch } from './patch.ts';
import { parse, remarks } from './read.ts';
import { notedOf, ownOf, stateKeys } from './record.ts';
import { revise } from './revise.ts';
import { split } from './split.ts';
import { byFile } from './state.ts';

/** The queue: many tasks that wait for a batch run, listed in one file that people and other tools write too. */
export const queueLayout: MirrorLayout = {
  name: 'queue',
  mirror: queueFile,
  lock: `${queueFile}.lock`,
  stateKeys,
  remembersVersions: true,
  split,
  join,
  parse,
  remarks,
  ref,
  describe,
  render,
  patch,
  adopt,
  adoptAgain,
  revise,
  companions,
  derived: metaOf,
};

function ref(task: Task): string {
  const { name, nth } = ownOf(task);
  return refOf(name, nth);
}

/** The text of a task that docket made. Where somebody wrote the record, the file is theirs already. */
function companions(task: Task): Companion[] {
  const { task_dir: folder } = ownOf(task).kept;
  if (task.createdBy === byFile || typeof folder !== 'string' || !taskDirPattern.test(folder)) return [];
  return [{ path: `${folder}/order.md`, text: task.spec.body }];
}

/** `.takt/runs/<slug>/meta.json`: where the latest run of a task is, for tools that look at runs. */
export function metaOf(task: Task): Derived[] {
  const { runSlug } = notedOf(task);
  if (runSlug === undefined || !task.run || !/^[a-z0-9][a-z0-9-]*$/.test(runSlug)) return [];
  const path = `.takt/runs/${runSlug}/meta.json`;
  return [
    { path, key: `${task.rev}`, text: () => `${JSON.stringify(described(task, runSlug), undefined, 2)}\n` },
  ];
}

const words = {
  queued: 'aborted',
  running: 'running',
  review: 'running',
  blocked: 'aborted',
  done: 'completed',
  failed: 'failed',
  canceled: 'aborted',
} as const;

function described(task: Task, slug: string) {
  const { run } = task;
  const root = `.takt/runs/${slug}`;
  const last = run?.steps.at(-1);
  const ended =
    'finishedAt' in task ? task.finishedAt : task.status === 'running' ? undefined : task.updatedAt;
  return {
    task: task.title,
    taskId: task.id,
    workflow: task.spec.workflow ?? 'quick',
    runSlug: slug,
    runRoot: root,
    reportDirectory: `${root}/reports`,
    contextDirectory: `${root}/context`,
    logsDirectory: `${root}/logs`,
    status: words[task.status],
    startTime: run?.startedAt,
    ...(ended !== undefined && { endTime: ended }),
    iterations: run ? stepsTaken(run) : 0,
    ...(last && { currentStep: last.title }),
    updatedAt: task.updatedAt,
    ...(task.status === 'failed' && { reason: task.failure.error }),
    ...(task.status === 'blocked' && { reason: task.reason.text }),
  };
}
