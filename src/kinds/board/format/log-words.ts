import type { NewEvent } from '../../../task/schema.ts';
import type { BoardStatus, Tag } from './intent.ts';

interface Word {
  type: string;
  tag: Tag;
  /** Where the task is then, for events that move it. */
  to?: BoardStatus;
}

/** The board's words for the facts that its readers know, and for those that came with docket. */
const words: { readonly [T in NewEvent['type']]?: Word } = {
  'task.created': { type: 'task_created', tag: '[TASK]' },
  'task.claimed': { type: 'task_claimed', tag: '[CLAIM]', to: 'claimed' },
  'task.started': { type: 'task_claimed', tag: '[CLAIM]', to: 'in_progress' },
  'task.renewed': { type: 'task_lease_renewed', tag: '[CLAIM]' },
  'task.released': { type: 'task_released', tag: '[TASK]', to: 'pending' },
  'task.requeued': { type: 'task_requeued', tag: '[TASK]', to: 'pending' },
  'task.submitted': { type: 'task_review_submitted', tag: '[REVIEW]', to: 'review' },
  'task.returned': { type: 'task_review_changes_requested', tag: '[REVIEW]', to: 'in_progress' },
  'task.done': { type: 'task_done', tag: '[DONE]', to: 'done' },
  'task.blocked': { type: 'task_blocked', tag: '[BLOCKED]', to: 'blocked' },
  'task.failed': { type: 'task_failed', tag: '[BLOCKED]', to: 'failed' },
  'task.canceled': { type: 'task_canceled', tag: '[BLOCKED]', to: 'blocked' },
  'task.reopened': { type: 'task_reopened', tag: '[TASK]', to: 'pending' },
};

const diag: Word = { type: 'diag_task_created', tag: '[DIAG]' };
const unblocked: Word = { type: 'task_unblocked', tag: '[TASK]', to: 'pending' };

export function logWord(event: NewEvent, from: BoardStatus | undefined): Word {
  if (event.type === 'note') return { type: event.data.type, tag: tagOf(event.data.type) };
  if (event.type === 'task.created' && event.data.relatedTo !== undefined) return diag;
  if (event.type === 'task.requeued' && from === 'blocked') return unblocked;
  return words[event.type] ?? { type: event.type.replaceAll('.', '_'), tag: '[TASK]' };
}

/** The tag of a line whose word is all that is known of it. */
export function tagOf(type: string): Tag {
  if (type.startsWith('task_review_')) return '[REVIEW]';
  return [diag, ...Object.values(words)].find((word) => word.type === type)?.tag ?? '[TASK]';
}
