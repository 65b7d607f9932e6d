import type { Summary, TaskView } from '../../../src/render/board/outcome.ts';
import { compareIds } from '../../../src/task/id.ts';

/** A task as tests need it. */
export function taskView(fields: Partial<TaskView> = {}): TaskView {
  return {
    taskId: 'T-001',
    title: 'Fix the login',
    status: 'pending',
    owner: null,
    assigneeHint: 'coder',
    updatedAt: '2026-03-01T10:00:00Z',
    blockedReason: null,
    result: null,
    review: null,
    relatedTo: null,
    ...fields,
  };
}

/** The summary that the board makes of its tasks: what changed last comes first. */
export function summarise(tasks: readonly TaskView[]): Summary {
  const latest = tasks.toSorted((a, b) =>
    a.updatedAt === b.updatedAt ? compareIds(b.taskId, a.taskId) : a.updatedAt < b.updatedAt ? 1 : -1,
  );
  const counts = new Map<string, number>();
  for (const { status } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
  const open = ['pending', 'claimed', 'in_progress', 'review'];
  return {
    counts: Object.fromEntries(counts),
    blocked: latest.filter(({ status }) => status === 'blocked'),
    open: latest.filter(({ status }) => open.includes(status)),
  };
}
