import type { Intent } from '../../layout/board/intent.ts';
import { boardTask } from '../../layout/board/task.ts';
import type { RefusalCode } from '../../render/board/outcome.ts';
import type { Task } from '../../task/schema.ts';
import type { Applied } from './apply.ts';
import type { Move, Why } from './moves.ts';

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
  return refused(codes[code] ?? 'illegal', intent, task, message);
}

const whyCodes: Record<Why, RefusalCode> = {
  held: 'held',
  'not-claimed': 'illegal',
  'not-yours': 'held',
  'in-review': 'illegal',
  done: 'illegal',
  'own-work': 'own_review',
  blocked: 'illegal',
  'not-in-review': 'illegal',
};

/** What can be done instead, as intents. */
const instead: Record<Why, readonly string[]> = {
  held: ['claim_task'],
  'not-claimed': ['claim_task', 'block_task'],
  'not-yours': ['block_task'],
  'in-review': ['approve_review', 'request_changes'],
  done: ['reopen_task'],
  'own-work': [],
  blocked: ['unblock_task', 'claim_task'],
  'not-in-review': ['submit_review'],
};

export function declined(
  intent: Pick<Intent, 'intent'>,
  task: Task,
  { why, owner }: Extract<Move, { kind: 'no' }>,
): Applied {
  const { outcome } = refused(whyCodes[why], intent, task);
  if (outcome.kind !== 'refused') throw new Error('a refusal is a refusal');
  const holder = owner === undefined ? {} : { holder: owner };
  return { outcome: { ...outcome, allowed: instead[why], ...holder }, events: [] };
}

export function refused(
  code: RefusalCode,
  intent: Pick<Intent, 'intent'>,
  task?: Task,
  detail?: string,
): Applied {
  const taskId = 'taskId' in intent && typeof intent.taskId === 'string' ? intent.taskId : undefined;
  return {
    outcome: {
      kind: 'refused',
      code,
      intent: intent.intent,
      ...(taskId !== undefined && { taskId }),
      ...(task && { status: boardTask(task).status }),
      ...(detail !== undefined && { detail }),
    },
    events: [],
  };
}
