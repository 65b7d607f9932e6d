import { nextTaskId } from '../../layout/board/ids.ts';
import type { Intent, Routed } from '../../layout/board/intent.ts';
import { ownOf, withOwn } from '../../layout/board/own.ts';
import { boardTask } from '../../layout/board/task.ts';
import type { Move as Told, Outcome, RefusalCode } from '../../render/board/outcome.ts';
import { applyTogether } from '../../store/apply-together.ts';
import type { Commit } from '../../store/claim.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { Command } from '../../task/command.ts';
import type { Event, Task, Verdict } from '../../task/schema.ts';
import { approving, moveFor, settling, type Asked, type Move, type MoveIntent, type Why } from './moves.ts';

/** What a message came to: the answer, and the facts that others are told about. */
export interface Applied {
  outcome: Outcome;
  events: readonly Event[];
}

/** The gate's word about an attempt to finish; it was asked before the lock was taken. */
export interface Gated {
  verdict: Verdict;
  /** What is missing, in the language of the request. */
  reason: string;
}

/** One board under its lock. */
export interface Sheet {
  ledger: Ledger;
  commit: Commit;
  now: string;
}

export type BoardIntent =
  | MoveIntent
  | Extract<
      Intent,
      { intent: 'create_task' | 'mark_done' | 'approve_review' | 'escalate_task' | 'add_needs' }
    >;

const claimMs = 24 * 60 * 60_000;

/** Does what an intent says, all of it or nothing. Whoever holds the lock calls it. */
export function applyTo(
  sheet: Sheet,
  intent: BoardIntent,
  routed: Omit<Routed, 'intent'>,
  gate?: Gated,
): Applied {
  const { actor, overrideAgent } = routed;
  const until = new Date(Date.parse(sheet.now) + claimMs).toISOString();
  const asked: Asked = { actor, who: overrideAgent ?? actor, now: sheet.now, until };
  if (intent.intent === 'create_task') return created(sheet, intent, asked, overrideAgent);
  const task = sheet.ledger.get(intent.taskId);
  if (!task || task.removedAt !== undefined) return refused('not_found', intent);
  switch (intent.intent) {
    case 'mark_done':
      return moved(
        sheet,
        intent,
        task,
        settling(task, asked, verdictOf(gate), intent.result ?? 'done'),
        gate,
      );
    case 'approve_review': {
      const summary = task.status === 'review' ? task.summary : (intent.note ?? 'approved');
      return moved(sheet, intent, task, approving(task, asked, verdictOf(gate), summary), gate);
    }
    case 'escalate_task':
      return escalated(sheet, intent, task, asked);
    case 'add_needs': {
      const needs = [...new Set([...task.needs, ...intent.needs])];
      const edit: Command = { type: 'edit', id: task.id, by: actor, set: { needs } };
      return moved(sheet, intent, task, { kind: 'commands', commands: [edit] });
    }
    default:
      return moved(sheet, intent, task, moveFor(intent, task, asked));
  }
}

/** Without a gate nothing is done. */
function verdictOf(gate: Gated | undefined): Verdict {
  if (!gate) throw new Error('nobody asked the gate');
  return gate.verdict;
}

function created(
  sheet: Sheet,
  intent: Extract<Intent, { intent: 'create_task' }>,
  { actor }: Asked,
  overrideAgent: string | undefined,
): Applied {
  const id = intent.taskId ?? nextTaskId(sheet.ledger.ids());
  const command: Command = {
    type: 'create',
    id,
    by: actor,
    title: intent.title,
    spec: { body: intent.title },
    extras: withOwn({}, { assigneeHint: overrideAgent ?? actor }),
    ...(intent.needs && { needs: [...intent.needs] }),
  };
  return written(sheet, intent, id, [command], 'created', intent.title);
}

/** The original is blocked, and somebody is to find out why: one fact does not come without the other. */
function escalated(
  sheet: Sheet,
  intent: Extract<Intent, { intent: 'escalate_task' }>,
  task: Task,
  asked: Asked,
): Applied {
  const reason = intent.reason ?? 'unspecified escalation';
  const block = moveFor({ intent: 'block_task', taskId: task.id, reason }, task, asked);
  if (block.kind === 'no') return declined(intent, task, block);
  const id = nextTaskId(sheet.ledger.ids());
  const { projectId } = ownOf(task);
  const diagnose: Command = {
    type: 'create',
    id,
    by: asked.actor,
    title: `DIAG ${task.id}: ${reason}`,
    spec: { body: reason },
    relatedTo: task.id,
    extras: withOwn({}, { assigneeHint: 'debugger', ...(projectId !== undefined && { projectId }) }),
  };
  const commands = block.kind === 'commands' ? block.commands : [];
  return written(sheet, intent, id, [...commands, diagnose], 'escalated', reason);
}

function moved(sheet: Sheet, intent: BoardIntent, task: Task, move: Move, gate?: Gated): Applied {
  if (move.kind === 'no') return declined(intent, task, move);
  if (move.kind === 'already')
    return { outcome: { kind: 'already', move: words[intent.intent], task: boardTask(task) }, events: [] };
  const held = gate?.verdict.kind === 'hold';
  const told = held ? 'gated' : toldAs(intent, move.commands);
  return written(
    sheet,
    intent,
    task.id,
    move.commands,
    told,
    held ? gate.reason : textOf(intent),
    task.owner,
  );
}

function written(
  { ledger, commit, now }: Sheet,
  intent: BoardIntent,
  about: string,
  commands: readonly Command[],
  move: Told,
  text: string | undefined,
  before?: string,
): Applied {
  const done = applyTogether(ledger, commands, now, commit);
  if (!done.ok) return refused(codes[done.code] ?? 'illegal', intent, ledger.get(about), done.message);
  const task = ledger.get(about);
  if (!task) throw new Error(`${about} is gone right after it was written`);
  const other = move === 'stolen' && before !== undefined ? { other: before } : {};
  const outcome: Outcome = {
    kind: 'moved',
    move,
    task: boardTask(task),
    ...(text !== undefined && { text }),
    ...other,
  };
  return { outcome, events: done.events };
}

/** What people are told happened, by the intent; some depend on what it came to. */
const words: Record<BoardIntent['intent'], Told> = {
  create_task: 'created',
  claim_task: 'claimed',
  mark_done: 'done',
  block_task: 'blocked',
  unblock_task: 'unblocked',
  reopen_task: 'reopened',
  fail_task: 'failed',
  cancel_task: 'canceled',
  escalate_task: 'escalated',
  submit_review: 'submitted',
  approve_review: 'approved',
  request_changes: 'returned',
  add_needs: 'linked',
};

function toldAs(intent: BoardIntent, commands: readonly Command[]): Told {
  if (intent.intent !== 'claim_task') return words[intent.intent];
  if (commands.some(({ type }) => type === 'release' || type === 'requeue')) return 'stolen';
  return commands.some(({ type }) => type === 'start') ? 'started' : 'claimed';
}

function textOf(intent: BoardIntent): string | undefined {
  switch (intent.intent) {
    case 'mark_done':
      return intent.result;
    case 'submit_review':
      return intent.summary;
    case 'approve_review':
      return intent.note;
    case 'add_needs':
      return intent.needs.join(', ');
    case 'create_task':
      return intent.title;
    case 'claim_task':
      return undefined;
    default:
      return intent.reason;
  }
}

const codes: Partial<Record<string, RefusalCode>> = {
  exists: 'exists',
  'not-found': 'not_found',
  held: 'held',
  cycle: 'cycle',
  'unknown-need': 'unknown_need',
  invalid: 'invalid',
};

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

function declined(intent: BoardIntent, task: Task, { why, owner }: Extract<Move, { kind: 'no' }>): Applied {
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
