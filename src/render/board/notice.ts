import { clip } from './clip.ts';
import type { Move, Moved, TaskView } from './outcome.ts';
import { type Locale, type Words, wordsOf } from './words.ts';

const tags: Readonly<Record<Move, string>> = {
  created: '[TASK]',
  claimed: '[CLAIM]',
  stolen: '[CLAIM]',
  released: '[TASK]',
  started: '[CLAIM]',
  progress: '[TASK]',
  done: '[DONE]',
  gated: '[BLOCKED]',
  blocked: '[BLOCKED]',
  unblocked: '[TASK]',
  reopened: '[TASK]',
  failed: '[BLOCKED]',
  canceled: '[BLOCKED]',
  escalated: '[DIAG]',
  submitted: '[REVIEW]',
  approved: '[REVIEW]',
  returned: '[REVIEW]',
  linked: '[TASK]',
};
/** What the log has where nobody gave a reason: it says no more than the move itself. */
const unsaid: Partial<Record<Move, string>> = {
  unblocked: 'unblocked',
  reopened: 'reopened',
  failed: 'failed',
  canceled: 'canceled',
  approved: 'approved',
  returned: 'changes are needed',
};
const longestDetail = 160;
const longestName = 60;

export function tagOf(move: Move): string {
  return tags[move];
}

/** What the group is told about a change: what is where with whom, and one detail. */
export function notice({ move, task, text, other }: Moved, locale: Locale = 'zh'): string {
  const words = wordsOf(locale);
  const head = headOf(tags[move], task, whoOf(move, task, other, words), words);
  const said = text ?? detailOf(move, task);
  const detail = clip(said === unsaid[move] ? task.title : said, longestDetail);
  const related =
    move === 'escalated' && task.relatedTo !== null ? ` | ${words.related}=${task.relatedTo}` : '';
  const lines = [head, `${words.details[move]}: ${detail === '' ? '-' : detail}${related}`];
  if (move === 'stolen' && other !== undefined) lines.push(`${words.takenFrom}: ${personOf(other, words)}`);
  return lines.join('\n');
}

/** `[DONE] T-001 | 状态=已完成 | 负责人=coder` */
export function headOf(
  tag: string,
  { taskId, status }: Pick<TaskView, 'taskId' | 'status'>,
  who: string,
  words: Words,
): string {
  return `${tag} ${clip(taskId, longestName)} | ${words.state}=${labelOf(status, words)} | ${who}`;
}

export function labelOf(status: string, { labels }: Words): string {
  return Object.hasOwn(labels, status) ? (labels[status] ?? status) : clip(status, longestName);
}

export function personOf(name: string | null | undefined, { nobody }: Words): string {
  const shown = clip(name ?? '', longestName);
  return shown === '' ? nobody : shown;
}

function whoOf(
  move: Move,
  { owner, assigneeHint }: TaskView,
  other: string | undefined,
  words: Words,
): string {
  if (move === 'created') return `${words.hint}=${personOf(assigneeHint, words)}`;
  if (move === 'escalated') return `${words.assignee}=${personOf(assigneeHint, words)}`;
  const isReview = move === 'submitted' || move === 'approved';
  if (isReview && other !== undefined) return `${words.reviewer}=${personOf(other, words)}`;
  return `${words.owner}=${personOf(owner, words)}`;
}

function detailOf(move: Move, { title, result, blockedReason, review }: TaskView): string {
  switch (move) {
    case 'done':
      return result ?? '';
    case 'gated':
    case 'blocked':
    case 'failed':
    case 'canceled':
      return blockedReason ?? '';
    case 'submitted':
    case 'approved':
    case 'returned':
      return review ?? result ?? '';
    default:
      return title;
  }
}
