import { randomUUID } from 'node:crypto';
import type { Posting } from '../../channel/outbox.ts';
import type { Heard } from '../../kinds/board/act.ts';
import { route } from '../../kinds/board/format/route/route.ts';
import type { Told } from '../../kinds/board/told.ts';
import type { Refused } from '../../render/board/outcome.ts';

export type Answer = { ok: boolean } & Record<string, unknown>;

/** What the original's router says of what it has done. */
export function handled(intent: string, more: object = {}, ok = true): Answer {
  return { ok, handled: true, intent, ...more };
}

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

/** What the original's parser says of a text: every field of a command, whether it was given or not. */
const always: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  create_task: { taskId: null },
  status: { taskId: null },
  synthesize: { taskId: null },
  mark_done: { result: '' },
  block_task: { reason: '' },
  escalate_task: { reason: '' },
};

export function routeAnswer(text: string, actor: string): Record<string, unknown> {
  const { intent, overrideAgent } = route(text, { actor, isBot: false });
  const { intent: name, ...fields } = intent;
  return { intent: name, overrideAgent: overrideAgent ?? null, ...always[name], ...fields, actor };
}

export type PostMode = 'send' | 'dry-run' | 'off';

/** What the original prints about a message: whom it went to, and what it said. */
export interface Sent {
  ok: boolean;
  dryRun: boolean;
  payload: { channel: 'feishu'; accountId: string; target: string; text: string; mode: PostMode };
  /** It is in the outbox of `docket chat`, or the log has it and the chat tells it from there. */
  queued: boolean;
  reason?: string;
}

export interface PostOptions {
  group: string;
  account: string;
  mode: PostMode;
  /** The board has a chat that sends what waits. */
  hasChat: boolean;
}

/**
 * Messages to the group. The board comes first: they are kept here until the command is written down, and then go to the
 * outbox. What is a fact of the log goes nowhere: the chat follows the log, and would tell it twice.
 */
export class Poster {
  readonly options: PostOptions;
  readonly postings: Posting[] = [];

  constructor(options: PostOptions) {
    this.options = options;
  }

  /** Questions are counted by their group; without a chat there is one. */
  get cooldownGroup(): string {
    return this.options.group || 'local';
  }

  /** A message gets into the outbox of a chat. */
  get isHeard(): boolean {
    return this.options.mode === 'send' && this.#whyNot === undefined;
  }

  get #whyNot(): string | undefined {
    const { group, mode, hasChat } = this.options;
    return mode === 'off' ? 'mode=off' : group === '' ? 'no group' : hasChat ? undefined : 'no chat';
  }

  send(message: string | Told): Sent {
    const { group, account, mode } = this.options;
    const [text, told] = typeof message === 'string' ? [message, undefined] : [message.text, message];
    const target = `chat:${group}`;
    const payload = { channel: 'feishu' as const, accountId: told?.from ?? account, target, text, mode };
    const reason = this.#whyNot;
    const queued = this.isHeard;
    if (queued && (told === undefined || told.seq === 0))
      this.postings.push({
        key: told?.key ?? `compat:${randomUUID()}`,
        group,
        content: { kind: 'text', text },
        whole: true,
      });
    const why = mode === 'dry-run' || reason === undefined ? {} : { reason };
    return { ok: true, dryRun: mode === 'dry-run', payload, queued, ...why };
  }
}

/** What the original says of the milestones that a command made. */
export function publish(
  notices: readonly Told[],
  poster: Poster,
  speaker = 'orchestrator',
  allowed: readonly string[] = ['orchestrator'],
): Answer {
  if (poster.options.mode === 'off') return skipped('mode=off');
  if (!allowed.includes(speaker)) return skipped(`actor not allowed to broadcast: ${speaker}`);
  if (notices.length === 0) return skipped('no milestone message for intent');
  const results = notices.map((told) => ({ message: milestone(told), send: poster.send(told) }));
  return { ok: true, count: results.length, results };
}

function milestone({ text, taskId }: Told): { prefix: string; taskId: string; text: string } {
  return { prefix: /^\[[A-Z]+\]/.exec(text)?.[0] ?? '', taskId, text };
}

export function skipped(reason: string): Answer {
  return { ok: true, skipped: true, reason };
}
