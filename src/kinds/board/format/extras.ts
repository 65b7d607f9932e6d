import { isObject, type Json } from '../../../task/json.ts';
import type { Task, NewEvent, Event } from '../../../task/schema.ts';

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

/** How a task is given to an agent: it is told and reports by itself, or docket starts it and waits. */
export type DispatchMode = 'manual' | 'spawn';

/** A task was given to an agent. */
export interface DispatchOrder {
  agent: string;
  mode: DispatchMode;
  /** What the agent is asked for, where it is more than the title. */
  text?: string;
}

/** Lines of docket's own beside the facts. */
export const noteTypes = {
  dispatched: 'task_dispatched',
  progress: 'task_progress',
  reviewer: 'task_review_requested',
  /** Made by the log itself. */
  approved: 'task_review_approved',
  reopened: 'task_reopened',
} as const;

export function dispatchNote(taskId: string, by: string, { agent, mode, text }: DispatchOrder): NewEvent {
  return note(taskId, by, noteTypes.dispatched, { agent, mode, ...(text !== undefined && { text }) });
}

export function progressNote(taskId: string, by: string, text: string): NewEvent {
  return note(taskId, by, noteTypes.progress, { text });
}

export function reviewerNote(taskId: string, by: string, reviewer: string): NewEvent {
  return note(taskId, by, noteTypes.reviewer, { reviewer });
}

function note(taskId: string, by: string, type: string, payload: Record<string, Json>): NewEvent {
  return { type: 'note', taskId, by, data: { type, payload } };
}

/** A line is anybody's: what is no order is none. */
export function orderIn(payload: Json | undefined): DispatchOrder | undefined {
  if (!isObject(payload)) return undefined;
  const { agent, mode, text } = payload;
  if (typeof agent !== 'string' || agent === '' || (mode !== 'manual' && mode !== 'spawn')) return undefined;
  return { agent, mode, ...(typeof text === 'string' && { text }) };
}

export function textIn(payload: Json | undefined, key: 'text' | 'reviewer'): string | undefined {
  const text = isObject(payload) ? payload[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Under this name the task's extras keep what the board remembers and the core forgets. Nobody edits it. */
export const memoryKey = 'boardLog';

/** Reasons and results stay when the status that had them is over. */
export interface BoardMemory {
  /** The seq of its making: tasks are listed in this order. */
  born: number;
  /** The ids of its lines in the log. */
  history: readonly string[];
  blockedReason?: string;
  result?: string;
  /** What was handed in for review last, or what the reviewer wants changed. */
  review?: string;
  /** Who finished a task that nobody had claimed. */
  doneBy?: string;
  /** The seq of the last line that asked people for something: a review, or help with what blocks it. */
  asked?: number;
  /** To whom it was given last. `open`: nothing has come of that yet. */
  order?: DispatchOrder & { open?: boolean };
}

export function memoryOf({ extras, rev }: Pick<Task, 'extras' | 'rev'>): BoardMemory {
  const { history, born, blockedReason, result, review, doneBy, asked, ...kept } = extras[memoryKey] ?? {};
  const order = orderIn(kept['order']);
  const open = order && (kept['order'] as { open?: Json }).open === true;
  return {
    born: typeof born === 'number' ? born : rev,
    history: Array.isArray(history) ? history.filter((id) => typeof id === 'string') : [],
    ...(typeof blockedReason === 'string' && { blockedReason }),
    ...(typeof result === 'string' && { result }),
    ...(typeof review === 'string' && { review }),
    ...(typeof doneBy === 'string' && { doneBy }),
    ...(typeof asked === 'number' && { asked }),
    ...(order && { order: { ...order, ...(open && { open }) } }),
  };
}

/** The memory after an event; `task` is as the core has it then. */
export function remember(task: Task, event: Event): Record<string, Json> {
  const { history = [], ...before } = task.extras[memoryKey] ?? { born: event.seq };
  const known = history as string[];
  const ids = event.id === undefined ? known : [...known, event.id]; // no line says what was never told
  return { ...before, history: ids, ...newsIn(task, event), ...orderAfter(before['order'], event) };
}

/** An order is open until the agent's work has come to something, or somebody has taken the task otherwise. */
function orderAfter(order: Json | undefined, event: Event): Record<string, Json> {
  if (event.type === 'note') {
    const given = event.data.type === noteTypes.dispatched ? orderIn(event.data.payload) : undefined;
    return given ? { order: { ...given, open: true } } : {};
  }
  const known = orderIn(order);
  return known && closing.has(event.type) && !goesOn(event) ? { order: { ...known } } : {};
}

/** It waits for nothing but its provider: whoever has it goes on then. */
function goesOn(event: Event): boolean {
  return event.type === 'task.blocked' && event.data.reason.who === 'docket';
}

const closing: ReadonlySet<Event['type']> = new Set([
  'task.claimed',
  'task.submitted',
  'task.done',
  'task.blocked',
  'task.failed',
  'task.canceled',
]);

function newsIn(task: Task, event: Event): Record<string, Json> {
  switch (event.type) {
    case 'task.blocked':
      return { blockedReason: event.data.reason.text, asked: event.seq };
    case 'task.canceled':
      return { blockedReason: canceledReason(event.data.reason) };
    case 'task.failed':
      return { blockedReason: event.data.failure.error };
    case 'task.submitted':
      return { review: event.data.summary, asked: event.seq };
    case 'task.returned':
      return { review: event.data.reason };
    case 'task.done':
      return { result: event.data.summary, ...(task.owner === undefined && { doneBy: event.by }) };
    default:
      return {};
  }
}

/** The board has no word for it but "blocked": the reason says it. */
export function canceledReason(reason: string): string {
  return /^cancel/i.test(reason) ? reason : `canceled: ${reason}`;
}

/**
 * The task was given to a worker of docket and nothing has come of that yet: a run takes it up.
 */
export function isOrdered(task: Pick<Task, 'extras' | 'rev'>): boolean {
  const { order } = memoryOf(task);
  return order?.open === true && order.mode === 'spawn';
}
