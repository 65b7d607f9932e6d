import type { Heard } from '../../kinds/board/act.ts';
import type { Refused } from '../../render/board/outcome.ts';

export type Answer = { ok: boolean } & Record<string, unknown>;

/** The answer of the original's board itself, by its fields; what docket adds stands behind them. */
export function engineAnswer({ outcome, route, acceptance }: Heard): Answer {
  const { intent } = route.intent;
  switch (outcome.kind) {
    case 'refused':
      return refusal(outcome);
    case 'unknown': {
      const { raw, suggestion } = outcome;
      const meant = suggestion === undefined ? {} : { suggestion };
      return { ok: false, error: 'unknown command', intent: 'unknown', raw, ...meant };
    }
    case 'status': {
      const { counts } = outcome.summary;
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return { ok: true, counts, total };
    }
    case 'task':
      return { ok: true, task: outcome.task };
    case 'synthesis':
      return { ok: true, intent: 'synthesize', report: outcome.report };
    case 'moved':
    case 'already': {
      const { move, task } = outcome;
      const { taskId, status, owner, assigneeHint, relatedTo } = task;
      if (move === 'created') return { ok: true, intent, taskId, assigneeHint };
      if (move === 'escalated')
        return {
          ok: true,
          intent,
          taskId: relatedTo,
          status: 'blocked',
          diagTaskId: taskId,
          diagAssigneeHint: assigneeHint,
        };
      if (move === 'gated') {
        const error = `not accepted: ${acceptance?.reason ?? ''}`;
        return { ok: false, intent, taskId, status, error, acceptance };
      }
      const who = intent === 'claim_task' || intent === 'run' || intent === 'dispatch' ? { owner } : {};
      return {
        ok: true,
        intent,
        taskId,
        ...who,
        status,
        ...(outcome.kind === 'already' && { idempotent: true }),
      };
    }
    default:
      return { ok: true, intent };
  }
}

/** What was refused, in the original's words where it has some, and what is possible instead. */
export function refusal(outcome: Refused): Answer {
  const { allowed } = outcome;
  return { ok: false, error: errorOf(outcome), reasonCode: outcome.code, ...(allowed && { allowed }) };
}

/** Where each command would have brought the task. */
const targets: Readonly<Record<string, string>> = {
  mark_done: 'done',
  approve_review: 'done',
  block_task: 'blocked',
  escalate_task: 'blocked',
  cancel_task: 'blocked',
  fail_task: 'failed',
  submit_review: 'review',
  request_changes: 'in_progress',
  unblock_task: 'pending',
  reopen_task: 'pending',
};

function errorOf({ code, intent, taskId = '', status = '', holder, detail }: Refused): string {
  switch (code) {
    case 'not_found':
      return `task not found: ${taskId}`;
    case 'exists':
      return `task exists: ${taskId}`;
    case 'illegal':
      return `invalid transition: ${status} -> ${targets[intent] ?? (status === 'pending' ? 'claimed' : 'in_progress')}`;
    case 'held':
    case 'at_work':
      return `task held: ${taskId}${holder === undefined ? '' : ` by ${holder}`}`;
    case 'unsupported_role':
      return `unsupported role: ${detail ?? ''}`;
    case 'forbidden':
      return detail ?? `${intent} is restricted to actor=orchestrator`;
    default:
      return detail ?? `${code}: ${taskId}`;
  }
}
