import type { Json } from '../../../task/json.ts';
import type { NewEvent } from '../../../task/schema.ts';
import { isData } from './log-payload.ts';

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
  if (!isData(payload)) return undefined;
  const { agent, mode, text } = payload;
  if (typeof agent !== 'string' || agent === '' || (mode !== 'manual' && mode !== 'spawn')) return undefined;
  return { agent, mode, ...(typeof text === 'string' && { text }) };
}

export function textIn(payload: Json | undefined, key: 'text' | 'reviewer'): string | undefined {
  const text = isData(payload) ? payload[key] : undefined;
  return typeof text === 'string' ? text : undefined;
}
