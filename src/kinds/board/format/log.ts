import type { LazyLayout, Log } from '../../../layout/layout.ts';
import { timeOf, epoch } from '../../../schema/time.ts';
import { isEventType } from '../../../task/event-types.ts';
import { isTaskId } from '../../../task/id.ts';
import { isObject, type Json } from '../../../task/json.ts';
import type { Event, NewEvent, Task } from '../../../task/schema.ts';
import { memoryKey, remember, hintOf, withOwn } from './extras.ts';
import type { BoardStatus, Tag } from './intent.ts';
import { dataOf, payloadOf, standing, logWord, tagOf } from './log-lines.ts';
import { archiveFolder, autopilotFile, boardLock, cooldownFile, locksFolder, logFile } from './places.ts';
import { wholeSeconds, wordOf } from './task.ts';

type Data = Record<string, Json>;

/**
 * `tasks.jsonl`: each fact with the seven fields of the format, and what docket needs to read it back under `docket`.
 * Lines without that are other tools', and mean what they mean there.
 */
export const log: Log = {
  path: logFile,
  blobs: 'state/blobs',
  encode,
  decode,
  notes,
  state: { autopilot: autopilotFile, cooldowns: cooldownFile },
  shared: {
    locks: locksFolder,
    lock: boardLock,
    archive: archiveFolder,
    memory: memoryKey,
    remember,
    untold,
    carry,
  },
};

export const lazyBoardLayout: LazyLayout = {
  log,
  load: async () => (await import('./layout.ts')).boardLayout,
};

function encode(event: Event, before?: Task): Data {
  const { id, taskId, by, at, key, digest, more } = event;
  const { word, payload, rest } = event.type === 'task.carried' ? carried(event) : told(event, before);
  const shownAt = wholeSeconds(at);
  return {
    eventId: id ?? null,
    taskId,
    type: word.type,
    messageType: word.tag,
    actor: by,
    at: shownAt,
    payload,
    docket: {
      v: 1,
      type: event.type,
      ...(at !== shownAt && { at }),
      ...(key !== undefined && { key }),
      ...(digest !== undefined && { digest }),
      ...(more !== undefined && { more }),
      ...(rest && Object.keys(rest).length > 0 && { data: rest }),
    },
  };
}

interface Line {
  word: { type: string; tag: string };
  payload: Data;
  rest?: Data;
}

function told(event: NewEvent, before: Task | undefined): Line {
  const from = before && wordOf(before);
  const word = logWord(event, from);
  const { payload, rest } = payloadOf(event);
  const moved = word.to === undefined ? {} : { from: from ?? 'pending', to: word.to };
  return { word, payload: { ...moved, ...payload }, ...(rest && { rest }) };
}

function carried({ data }: Extract<Event, { type: 'task.carried' }>): Line {
  const task = data.task as unknown as Task;
  const { moved, ...word } = carriedWord(task);
  return { word, payload: { ...moved, ...standing(task) }, rest: data };
}

function decode(line: Readonly<Data>, seq: number): Event | undefined {
  const { eventId, taskId, type, actor, docket } = line;
  if (typeof type !== 'string' || typeof taskId !== 'string') return undefined;
  const about = {
    v: 1,
    seq,
    taskId,
    by: typeof actor === 'string' && actor !== '' ? actor : 'unknown',
    id: typeof eventId === 'string' && eventId !== '' ? eventId : `line-${seq}`,
  } as const;
  const payload = line['payload'] ?? {};
  if (!isObject(docket)) return foreignEvent({ ...about, type, payload, at: line['at'] });
  // A newer docket's line is not guessed at: whoever reads on without it would decide on half the facts.
  const core = docket['type'];
  const at = timeOf(docket['at'] ?? line['at']);
  if (docket['v'] !== 1 || !isEventType(core) || at === undefined) return undefined;
  const data = dataOf(core, { type, payload }, isObject(docket['data']) ? docket['data'] : {});
  if (data === undefined) return undefined;
  const fact = { ...about, at, type: core, data } as Event;
  if (typeof docket['key'] === 'string') fact.key = docket['key'];
  if (typeof docket['digest'] === 'string') fact.digest = docket['digest'];
  if (typeof docket['more'] === 'number') fact.more = docket['more'];
  return fact;
}

/** What readers look for that the facts do not say: that a reviewer agreed, and that a failure was taken back. */
function notes(before: Task | undefined, after: Task, facts: readonly NewEvent[]): NewEvent[] {
  const back = before?.status === 'failed' && facts.find(({ type }) => type === 'task.requeued');
  if (back) {
    const payload = { reason: (back.data as { reason: string }).reason, previousStatus: 'failed' };
    return [{ type: 'note', taskId: after.id, by: back.by, data: { type: 'task_reopened', payload } }];
  }
  const done = facts.findLast(({ type }) => type === 'task.done');
  if (!done || before?.status !== 'review' || after.status !== 'done') return [];
  const payload = { reviewer: done.by, owner: before.owner };
  return [{ type: 'note', taskId: after.id, by: done.by, data: { type: 'task_review_approved', payload } }];
}

interface Step {
  type: string;
  from: BoardStatus;
  to: BoardStatus;
}

const claimed: Step = { type: 'task_claimed', from: 'pending', to: 'claimed' };
const started: Step = { type: 'task_claimed', from: 'claimed', to: 'in_progress' };

/** How a task came to where it is, in steps that the board's other readers know. */
function stepsTo(task: Task): Step[] {
  const begun = task.owner === undefined ? [] : [claimed, started];
  const from: BoardStatus = task.owner === undefined ? 'pending' : 'in_progress';
  switch (task.status) {
    case 'queued':
      return task.owner === undefined ? [] : [claimed];
    case 'running':
      return begun;
    case 'review':
      return [...begun, { type: 'task_review_submitted', from, to: 'review' }];
    case 'done':
      return [...begun, { type: 'task_done', from, to: 'done' }];
    case 'failed':
      return [...begun, { type: 'task_failed', from, to: 'failed' }];
    case 'blocked':
    case 'canceled':
      return [...begun, { type: 'task_blocked', from, to: 'blocked' }];
  }
}

/** The last of those lines carries the whole task; the ones before it are for the other readers alone. */
export function carry(task: Task): NewEvent[] {
  const about = { taskId: task.id, by: 'docket' };
  const whole: NewEvent = {
    ...about,
    type: 'task.carried',
    data: { task },
  };
  const steps = stepsTo(task);
  if (task.removedAt !== undefined || steps.length === 0) return [whole];
  const note = (type: string, payload: Record<string, Json>): NewEvent => ({
    ...about,
    type: 'note',
    data: { type, payload },
  });
  return [
    note(creation(task), created(task)),
    ...steps.slice(0, -1).map(({ type, from, to }) => note(type, { from, to, owner: task.owner ?? '' })),
    whole,
  ];
}

export function carriedWord(task: Task): { type: string; tag: Tag; moved: Record<string, Json> } {
  if (task.removedAt !== undefined) return { type: 'task_removed', tag: '[TASK]', moved: {} };
  const { type, ...moved } = stepsTo(task).at(-1) ?? { type: creation(task) };
  return { type, tag: tagOf(type), moved };
}

function creation({ relatedTo }: Task): string {
  return relatedTo === undefined ? 'task_created' : 'diag_task_created';
}

function created(task: Task): Record<string, Json> {
  const { title, relatedTo } = task;
  return { title, assigneeHint: hintOf(task), ...(relatedTo !== undefined && { relatedTo }) };
}

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
  const fact = isTaskId(taskId) && isObject(payload) ? factIn(type, payload, by, at) : undefined;
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
      return createdFact(
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
  return { v, seq, at, taskId, by, ...createdFact(untitled, by, undefined) } as Event;
}

function createdFact(title: string, assigneeHint: string, relatedTo: string | undefined): Fact {
  const extras = withOwn({}, { assigneeHint });
  const data = { title, spec: { body: '' }, extras, ...(relatedTo !== undefined && { relatedTo }) };
  return { type: 'task.created', data };
}
