import type { LazyLayout, Log } from '../../../layout/layout.ts';
import { timeOf } from '../../../schema/time.ts';
import { isEventType } from '../../../task/event-types.ts';
import type { Json } from '../../../task/json.ts';
import type { Event, NewEvent, Task } from '../../../task/schema.ts';
import { carry, carriedWord } from './carry.ts';
import { foreignEvent, untold } from './foreign.ts';
import { dataOf, isData, payloadOf, standing } from './log-payload.ts';
import { logWord } from './log-words.ts';
import { memoryKey, remember } from './memory.ts';
import { archiveFolder, autopilotFile, boardLock, cooldownFile, locksFolder, logFile } from './places.ts';
import { wholeSeconds, wordOf } from './words.ts';

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
  if (!isData(docket)) return foreignEvent({ ...about, type, payload, at: line['at'] });
  // A newer docket's line is not guessed at: whoever reads on without it would decide on half the facts.
  const core = docket['type'];
  const at = timeOf(docket['at'] ?? line['at']);
  if (docket['v'] !== 1 || !isEventType(core) || at === undefined) return undefined;
  const data = dataOf(core, { type, payload }, isData(docket['data']) ? docket['data'] : {});
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
