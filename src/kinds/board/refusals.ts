import type { RefusalCode, Refused } from '../../render/board/outcome.ts';
import type { Task } from '../../task/schema.ts';
import type { Applied } from './apply.ts';
import type { Intent } from './format/intent.ts';
import { boardTask } from './format/task.ts';
import type { Move } from './moves.ts';

const codes: Partial<Record<string, RefusalCode>> = {
  exists: 'exists',
  'not-found': 'not_found',
  held: 'held',
  cycle: 'cycle',
  'unknown-need': 'unknown_need',
  invalid: 'invalid',
};

export function refusedBy(
  { code, message }: { code: string; message: string },
  intent: Pick<Intent, 'intent'>,
  task?: Task,
): Applied {
  const found = codes[code] ?? 'illegal';
  const outcome = refusal(found, intent, task, detailIn(found, message));
  const allowed = found === 'illegal' && task ? { allowed: possible(task) } : {};
  return { outcome: { ...outcome, ...allowed }, events: [] };
}

/** The ids alone: the sentence around them is in the language of the request. */
function detailIn(code: RefusalCode, message: string): string {
  if (code === 'cycle') return message.replace(/^[^:]*: /, '');
  return code === 'unknown_need' ? (/"([^"]+)"/.exec(message)?.[1] ?? message) : message;
}

/** What can be done with a task as it is, as intents. */
function possible(task: Task): readonly string[] {
  switch (task.status) {
    case 'queued':
      return task.owner === undefined
        ? ['claim_task', 'block_task']
        : ['mark_done', 'submit_review', 'block_task'];
    case 'running':
      return ['mark_done', 'submit_review', 'block_task'];
    case 'review':
      return ['approve_review', 'request_changes', 'block_task'];
    case 'blocked':
      return ['unblock_task', 'claim_task'];
    case 'failed':
      return ['claim_task', 'reopen_task'];
    case 'done':
    case 'canceled':
      return ['reopen_task'];
  }
}

export function declined(
  intent: Pick<Intent, 'intent'>,
  task: Task,
  { code, owner }: Extract<Move, { kind: 'no' }>,
): Applied {
  const outcome = refusal(code, intent, task);
  // The other codes say themselves what to do.
  const allowed = code === 'illegal' ? possible(task) : [];
  const holder = owner === undefined ? {} : { holder: owner };
  return { outcome: { ...outcome, taskId: task.id, allowed, ...holder }, events: [] };
}

export function refused(
  code: RefusalCode,
  intent: Pick<Intent, 'intent'>,
  task?: Task,
  detail?: string,
): Applied {
  return { outcome: refusal(code, intent, task, detail), events: [] };
}

function refusal(
  code: RefusalCode,
  intent: Pick<Intent, 'intent'>,
  task: Task | undefined,
  detail?: string,
): Refused {
  const taskId = 'taskId' in intent && typeof intent.taskId === 'string' ? intent.taskId : undefined;
  return {
    kind: 'refused',
    code,
    intent: intent.intent,
    ...(taskId !== undefined && { taskId }),
    ...(task && { status: boardTask(task).status }),
    ...(detail !== undefined && { detail }),
  };
}
