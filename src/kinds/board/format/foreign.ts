import { epoch, timeOf } from '../../../schema/time.ts';
import { isTaskId } from '../../../task/id.ts';
import type { Json } from '../../../task/json.ts';
import type { Event, NewEvent } from '../../../task/schema.ts';
import { isData } from './log-payload.ts';
import { withOwn } from './own.ts';

interface ForeignLine {
  v: 1;
  seq: number;
  id: string;
  taskId: string;
  by: string;
  type: string;
  payload: Json;
  at: Json | undefined;
}

/** What a line of another tool means. One that says nothing about a status is a note, and so is one about no task. */
export function foreignEvent(line: ForeignLine): Event {
  const { v, seq, id, taskId, by, type, payload } = line;
  const at = timeOf(line.at) ?? epoch;
  const fact = isTaskId(taskId) && isData(payload) ? factIn(type, payload, by, at) : undefined;
  return { v, seq, at, taskId, by, id, ...(fact ?? { type: 'note', data: { type, payload } }) } as Event;
}

type Fact = Pick<NewEvent, 'type' | 'data'>;

function factIn(type: string, payload: Record<string, Json>, by: string, at: string): Fact | undefined {
  const text = (key: string, otherwise: string): string => {
    const value = payload[key];
    return typeof value === 'string' && value !== '' ? value : otherwise;
  };
  switch (type) {
    case 'task_created':
    case 'diag_task_created': {
      const { relatedTo } = payload;
      return creation(
        text('title', untitled),
        text('assigneeHint', by),
        isTaskId(relatedTo) ? relatedTo : undefined,
      );
    }
    case 'task_claimed': {
      // Nobody said for how long: whoever wants the task from now on may have it.
      const claim = { owner: text('owner', by), lease: { kind: 'term' as const, until: at } };
      return { type: text('to', 'claimed') === 'claimed' ? 'task.claimed' : 'task.started', data: claim };
    }
    case 'task_done':
      return { type: 'task.done', data: { summary: text('result', 'done'), verdict: { kind: 'pass' } } };
    case 'task_blocked': {
      const reason = { kind: 'gate' as const, text: text('reason', 'unspecified blocker'), who: 'a person' };
      return { type: 'task.blocked', data: { reason } };
    }
    case 'task_reopened':
      return { type: 'task.reopened', data: { reason: text('reason', 'reopened') } };
    default:
      return undefined;
  }
}

const untitled = 'untitled';

/** A log that was lost in part speaks of tasks whose making it no longer knows. */
export function untold(event: Event): Event {
  const { v, seq, at, taskId, by } = event;
  return { v, seq, at, taskId, by, ...creation(untitled, by, undefined) } as Event;
}

function creation(title: string, assigneeHint: string, relatedTo: string | undefined): Fact {
  const extras = withOwn({}, { assigneeHint });
  const data = { title, spec: { body: '' }, extras, ...(relatedTo !== undefined && { relatedTo }) };
  return { type: 'task.created', data };
}
