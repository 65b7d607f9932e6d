import type { Json } from '../../../task/json.ts';
import type { Event, NewEvent, Task } from '../../../task/schema.ts';
import { ownOf } from './own.ts';

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
      return isData(event.data.payload)
        ? { payload: event.data.payload }
        : { payload: {}, rest: { payload: event.data.payload } };
    default:
      return { payload: plain(event.data) };
  }
}

/** The core's data again; undefined: the line does not say what it should. */
export function dataOf(type: Event['type'], line: { type: string; payload: Json }, rest: Data): unknown {
  const { payload } = line;
  if (!isData(payload)) return undefined;
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
        failure: { ...(isData(rest['failure']) ? rest['failure'] : {}), error: told['reason'] },
      };
    case 'note':
      return { type: line.type, payload: 'payload' in rest ? rest['payload'] : payload };
    case 'task.carried':
      return rest;
    default:
      return told;
  }
}

export function isData(value: Json | undefined): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
