import { isObject, type Json } from '../../../task/json.ts';
import type { NewEvent, Event, Task } from '../../../task/schema.ts';
import { ownOf } from './extras.ts';
import type { BoardStatus, Tag } from './intent.ts';

interface Word {
  type: string;
  tag: Tag;
  /** Where the task is then, for events that move it. */
  to?: BoardStatus;
}

/** The board's words for the facts that its readers know, and for those that came with docket. */
const words: { readonly [T in NewEvent['type']]?: Word } = {
  'task.created': { type: 'task_created', tag: '[TASK]' },
  'task.claimed': { type: 'task_claimed', tag: '[CLAIM]', to: 'claimed' },
  'task.started': { type: 'task_claimed', tag: '[CLAIM]', to: 'in_progress' },
  'task.renewed': { type: 'task_lease_renewed', tag: '[CLAIM]' },
  'task.released': { type: 'task_released', tag: '[TASK]', to: 'pending' },
  'task.requeued': { type: 'task_requeued', tag: '[TASK]', to: 'pending' },
  'task.submitted': { type: 'task_review_submitted', tag: '[REVIEW]', to: 'review' },
  'task.returned': { type: 'task_review_changes_requested', tag: '[REVIEW]', to: 'in_progress' },
  'task.done': { type: 'task_done', tag: '[DONE]', to: 'done' },
  'task.blocked': { type: 'task_blocked', tag: '[BLOCKED]', to: 'blocked' },
  'task.failed': { type: 'task_failed', tag: '[BLOCKED]', to: 'failed' },
  'task.canceled': { type: 'task_canceled', tag: '[BLOCKED]', to: 'blocked' },
  'task.reopened': { type: 'task_reopened', tag: '[TASK]', to: 'pending' },
};

const diag: Word = { type: 'diag_task_created', tag: '[DIAG]' };
const unblocked: Word = { type: 'task_unblocked', tag: '[TASK]', to: 'pending' };

export function logWord(event: NewEvent, from: BoardStatus | undefined): Word {
  if (event.type === 'note') return { type: event.data.type, tag: tagOf(event.data.type) };
  if (event.type === 'task.created' && event.data.relatedTo !== undefined) return diag;
  if (event.type === 'task.requeued' && from === 'blocked') return unblocked;
  return words[event.type] ?? { type: event.type.replaceAll('.', '_'), tag: '[TASK]' };
}

/** The tag of a line whose word is all that is known of it. */
export function tagOf(type: string): Tag {
  if (type.startsWith('task_review_')) return '[REVIEW]';
  return [diag, ...Object.values(words)].find((word) => word.type === type)?.tag ?? '[TASK]';
}

type Data = Record<string, Json>;

/** What a line says in its payload, and what docket needs beside it to read the fact back. */
export interface Told {
  payload: Data;
  rest?: Data;
}

/** In the names that the board's readers look for; for facts that they do not know, in the core's. */
export function payloadOf(event: NewEvent): Told {
  switch (event.type) {
    case 'task.created': {
      const { title, relatedTo, ...rest } = event.data;
      const assigneeHint = ownOf({ extras: event.data.extras ?? {} }).assigneeHint ?? event.by;
      return {
        payload: { title, assigneeHint, ...(relatedTo !== undefined && { relatedTo }) },
        rest: plain(rest),
      };
    }
    case 'task.claimed':
    case 'task.started': {
      const { owner, ...rest } = event.data;
      return { payload: { owner }, rest: plain(rest) };
    }
    case 'task.done': {
      const { summary, ...rest } = event.data;
      return { payload: { result: summary }, rest: plain(rest) };
    }
    case 'task.blocked': {
      const { text, ...rest } = event.data.reason;
      return { payload: { reason: text }, rest: plain(rest) };
    }
    case 'task.failed': {
      const { failure, ...rest } = event.data;
      const { error, ...more } = failure;
      return { payload: { reason: error }, rest: plain({ ...rest, failure: more }) };
    }
    case 'note':
      return isObject(event.data.payload)
        ? { payload: event.data.payload }
        : { payload: {}, rest: { payload: event.data.payload } };
    default:
      return { payload: plain(event.data) };
  }
}

/** The core's data again; undefined: the line does not say what it should. */
export function dataOf(type: Event['type'], line: { type: string; payload: Json }, rest: Data): unknown {
  const { payload } = line;
  if (!isObject(payload)) return undefined;
  const { from: _from, to: _to, ...told } = payload;
  switch (type) {
    case 'task.created': {
      const { title, relatedTo } = told;
      return { ...rest, title, ...(relatedTo !== undefined && { relatedTo }) };
    }
    case 'task.claimed':
    case 'task.started':
      return { ...rest, owner: told['owner'] };
    case 'task.done':
      return { ...rest, summary: told['result'] };
    case 'task.blocked':
      return { reason: { ...rest, text: told['reason'] } };
    case 'task.failed':
      return {
        ...rest,
        failure: { ...(isObject(rest['failure']) ? rest['failure'] : {}), error: told['reason'] },
      };
    case 'note':
      return { type: line.type, payload: 'payload' in rest ? rest['payload'] : payload };
    case 'task.carried':
      return rest;
    default:
      return told;
  }
}

/** The core's data is JSON; its types say more than that. */
function plain(data: object): Data {
  return data as Data;
}

/** As a task stands, in the words of the line that would have brought it there. */
export function standing(task: Task): Data {
  switch (task.status) {
    case 'done':
      return { result: task.summary };
    case 'blocked':
      return { reason: task.reason.text };
    case 'failed':
      return { reason: task.failure.error };
    case 'canceled':
      return { reason: task.canceledBecause };
    case 'review':
      return { summary: task.summary };
    default:
      return task.owner === undefined
        ? { title: task.title, assigneeHint: ownOf(task).assigneeHint ?? task.createdBy }
        : { owner: task.owner };
  }
}
