import type { Json } from '../../../task/json.ts';
import type { NewEvent, Task } from '../../../task/schema.ts';
import type { BoardStatus, Tag } from './intent.ts';
import { tagOf } from './log-words.ts';
import { hintOf } from './own.ts';

interface Step {
  type: string;
  from: BoardStatus;
  to: BoardStatus;
}

const claimed: Step = { type: 'task_claimed', from: 'pending', to: 'claimed' };
const started: Step = { type: 'task_claimed', from: 'claimed', to: 'in_progress' };

/** How a task came to where it is, in steps that the board's other readers know. */
function stepsTo(task: Task): Step[] {
  const begun = task.owner === undefined ? [] : [claimed, started];
  const from: BoardStatus = task.owner === undefined ? 'pending' : 'in_progress';
  switch (task.status) {
    case 'queued':
      return task.owner === undefined ? [] : [claimed];
    case 'running':
      return begun;
    case 'review':
      return [...begun, { type: 'task_review_submitted', from, to: 'review' }];
    case 'done':
      return [...begun, { type: 'task_done', from, to: 'done' }];
    case 'failed':
      return [...begun, { type: 'task_failed', from, to: 'failed' }];
    case 'blocked':
    case 'canceled':
      return [...begun, { type: 'task_blocked', from, to: 'blocked' }];
  }
}

/** The last of those lines carries the whole task; the ones before it are for the other readers alone. */
export function carry(task: Task): NewEvent[] {
  const about = { taskId: task.id, by: 'docket' };
  const whole: NewEvent = {
    ...about,
    type: 'task.carried',
    data: { task },
  };
  const steps = stepsTo(task);
  if (task.removedAt !== undefined || steps.length === 0) return [whole];
  const note = (type: string, payload: Record<string, Json>): NewEvent => ({
    ...about,
    type: 'note',
    data: { type, payload },
  });
  return [
    note(creation(task), created(task)),
    ...steps.slice(0, -1).map(({ type, from, to }) => note(type, { from, to, owner: task.owner ?? '' })),
    whole,
  ];
}

export function carriedWord(task: Task): { type: string; tag: Tag; moved: Record<string, Json> } {
  if (task.removedAt !== undefined) return { type: 'task_removed', tag: '[TASK]', moved: {} };
  const { type, ...moved } = stepsTo(task).at(-1) ?? { type: creation(task) };
  return { type, tag: tagOf(type), moved };
}

function creation({ relatedTo }: Task): string {
  return relatedTo === undefined ? 'task_created' : 'diag_task_created';
}

function created(task: Task): Record<string, Json> {
  const { title, relatedTo } = task;
  return { title, assigneeHint: hintOf(task), ...(relatedTo !== undefined && { relatedTo }) };
}
