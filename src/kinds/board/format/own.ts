import type { Task } from '../../../task/schema.ts';

/** What people say of a board's task beside the core, in `extras.board`. */
export interface BoardOwn {
  /** Who should do it. */
  assigneeHint?: string;
  projectId?: string;
}

type Extras = Task['extras'];

export function ownOf({ extras }: { extras: Extras }): BoardOwn {
  const { assigneeHint, projectId } = extras['board'] ?? {};
  return {
    ...(typeof assigneeHint === 'string' && { assigneeHint }),
    ...(typeof projectId === 'string' && { projectId }),
  };
}

/** For the `extras` of a create or an edit: what is not named stays. */
export function withOwn(extras: Extras, set: BoardOwn): Extras {
  return { ...extras, board: { ...extras['board'], ...set } };
}

/** Whom the task is meant for: whoever was named, else whoever made it. */
export function hintOf(task: Pick<Task, 'extras' | 'createdBy'>): string {
  return ownOf(task).assigneeHint ?? task.createdBy;
}
