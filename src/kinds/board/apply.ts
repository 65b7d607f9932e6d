import type { Move as Told, Outcome } from '../../render/board/outcome.ts';
import { applyTogether } from '../../store/execute.ts';
import type { Commit, State, TaskIndex } from '../../store/store.ts';
import type { Command, CommandOf } from '../../task/command.ts';
import type { Event, NewEvent, Task, Trust, Verdict } from '../../task/schema.ts';
import { isLow } from '../../task/trust.ts';
import { reviewerNote, ownOf, withOwn } from './format/extras.ts';
import { nextTaskId } from './format/ids.ts';
import type { Intent, Routed } from './format/intent.ts';
import { boardTask } from './format/task.ts';
import { approving, moveFor, settling, type Asker, type Move, type MoveIntent } from './moves.ts';
import { declined, refused, refusedBy } from './refusals.ts';

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
  ledger: TaskIndex;
  commit: Commit;
  state: State;
  now: string;
  /** What is written down for this request is written down once. */
  key?: string | undefined;
  /** Whose words make the tasks of this request. */
  trust?: Trust | undefined;
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
  const asker = askerOf(actor, overrideAgent, sheet.now);
  if (intent.intent === 'create_task') return created(sheet, intent, asker, overrideAgent);
  const task = sheet.ledger.get(intent.taskId);
  if (!task || task.removedAt !== undefined) return refused('not_found', intent);
  switch (intent.intent) {
    case 'mark_done':
      return moved(
        sheet,
        intent,
        task,
        settling(task, asker, verdictOf(gate), intent.result ?? 'done'),
        gate,
      );
    case 'approve_review': {
      const summary = task.status === 'review' ? task.summary : (intent.note ?? 'approved');
      return moved(sheet, intent, task, approving(task, asker, verdictOf(gate), summary), gate);
    }
    case 'escalate_task':
      return escalated(sheet, intent, task, asker);
    case 'add_needs': {
      const needs = [...new Set([...task.needs, ...intent.needs])];
      const edit: Command = { type: 'edit', id: task.id, by: actor, set: { needs } };
      return moved(sheet, intent, task, { kind: 'commands', commands: [edit] });
    }
    default:
      return moved(sheet, intent, task, moveFor(intent, task, asker));
  }
}

/** Who asks, and until when a claim of theirs lasts. */
export function askerOf(actor: string, overrideAgent: string | undefined, now: string): Asker {
  const until = new Date(Date.parse(now) + claimMs).toISOString();
  return { actor, who: overrideAgent ?? actor, now, until };
}

/** Without a gate nothing is done. */
function verdictOf(gate: Gated | undefined): Verdict {
  if (!gate) throw new Error('nobody asked the gate');
  return gate.verdict;
}

function created(
  sheet: Sheet,
  intent: Extract<Intent, { intent: 'create_task' }>,
  { actor }: Asker,
  overrideAgent: string | undefined,
): Applied {
  const command = creation(sheet, intent, actor, overrideAgent);
  return written(sheet, intent, command.id, [command], 'created', intent.title);
}

export function creation(
  { ledger, trust }: Sheet,
  { taskId, title, needs }: Extract<Intent, { intent: 'create_task' }>,
  by: string,
  overrideAgent = by,
): CommandOf<'create'> {
  return {
    type: 'create',
    id: taskId ?? nextTaskId(ledger.ids()),
    by,
    title,
    spec: { body: title },
    extras: withOwn({}, { assigneeHint: overrideAgent }),
    ...(needs && { needs: [...needs] }),
    ...(trust && { trust }),
  };
}

/** The original is blocked, and somebody is to find out why: one fact does not come without the other. */
function escalated(
  sheet: Sheet,
  intent: Extract<Intent, { intent: 'escalate_task' }>,
  task: Task,
  asker: Asker,
): Applied {
  const reason = intent.reason ?? 'unspecified escalation';
  const block = moveFor({ intent: 'block_task', taskId: task.id, reason }, task, asker);
  if (block.kind === 'no') return declined(intent, task, block);
  const id = nextTaskId(sheet.ledger.ids());
  const { projectId } = ownOf(task);
  const diagnose: Command = {
    type: 'create',
    id,
    by: asker.actor,
    title: `DIAG ${task.id}: ${reason}`,
    spec: { body: reason },
    relatedTo: task.id,
    ...(isLow(task) ? { trust: task.trust } : sheet.trust && { trust: sheet.trust }),
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
  { ledger, commit, now, key }: Sheet,
  intent: BoardIntent,
  about: string,
  commands: readonly Command[],
  move: Told,
  text: string | undefined,
  before?: string,
): Applied {
  const done = applyTogether(ledger, commands, now, commit, { key, notes: notesOn(intent, commands) });
  if (!done.ok) return refusedBy(done, intent, ledger.get(about));
  const task = ledger.get(about);
  if (!task) throw new Error(`${about} is gone right after it was written`);
  const whom = intent.intent === 'submit_review' ? intent.reviewer : move === 'stolen' ? before : undefined;
  const other = whom === undefined ? {} : { other: whom };
  const outcome: Outcome = {
    kind: 'moved',
    move,
    task: boardTask(task),
    ...(text !== undefined && { text }),
    ...other,
  };
  return { outcome, events: done.events };
}

/** Whom a review is meant for stands beside the fact. */
function notesOn(intent: BoardIntent, [first]: readonly Command[]): NewEvent[] {
  if (intent.intent !== 'submit_review' || intent.reviewer === undefined || !first) return [];
  return [reviewerNote(intent.taskId, first.by, intent.reviewer)];
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

/** What was said with it. Each intent has one of these. */
function textOf(intent: BoardIntent): string | undefined {
  type Said = Partial<Record<'result' | 'summary' | 'note' | 'title' | 'reason', string>>;
  const { result, summary, note, title, reason } = intent as Said;
  const needs = intent.intent === 'add_needs' ? intent.needs.join(', ') : undefined;
  return result ?? summary ?? note ?? title ?? reason ?? needs;
}
