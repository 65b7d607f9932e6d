import type { Derived } from '../../../layout/layout.ts';
import type { Task } from '../../../task/schema.ts';
import { stepsTaken } from '../../../workflow/next.ts';
import { notedOf } from './noted.ts';

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
