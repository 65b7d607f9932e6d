import type { TaskView } from '../../../src/render/board/outcome.ts';

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
