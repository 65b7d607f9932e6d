import type { LazyLayout, Log } from '../../../layout/layout.ts';
import { timeOf } from '../../../schema/time.ts';
import { isEventType } from '../../../task/event-types.ts';
import { evolve } from '../../../task/evolve.ts';
import { isObject, type Json } from '../../../task/json.ts';
import type { Event, NewEvent, Task } from '../../../task/schema.ts';
import { type Phase, phasesThrough } from '../../../workflow/phase.ts';
import { nativeAdapter } from './adapter.ts';
import { stateWord } from './words.ts';

type Data = Record<string, Json>;

/**
 * `events.jsonl`: each fact in the words of the format, with what docket needs to read it back under `docket`. Where
 * the format wants another value than the core has, `docket.data` keeps the core's.
 */
export const log: Log = { path: 'events.jsonl', blobs: 'shared/blobs', encode, decode, notes };

export const lazyTaskLayout: LazyLayout = {
  mirror: 'task.yaml',
  log,
  load: async () => (await import('./layout.ts')).agentmeshLayout,
};

function encode(event: Event, before?: Task): Data {
  const { at, taskId, by, key, more } = event;
  const hidden = hiddenBy(event);
  return {
    ts: at,
    type: wordOf(event),
    taskId,
    agentInstance: instanceOf(event, before) ?? null,
    turnId: null,
    payload:
      event.type === 'note' ? event.data.payload : { ...(event.data as Data), ...addedTo(event, before) },
    by,
    path: null,
    docket: {
      v: 1,
      type: event.type,
      ...(key !== undefined && { key }),
      ...(more !== undefined && { more }),
      ...(hidden && { data: hidden }),
    },
  };
}

function decode(line: Readonly<Data>, seq: number): Event | undefined {
  const { ts, type, taskId, docket } = line;
  const at = timeOf(ts);
  if (at === undefined || typeof type !== 'string' || typeof taskId !== 'string') return undefined;
  const by = typeof line['by'] === 'string' && line['by'] !== '' ? line['by'] : 'unknown';
  const payload = line['payload'] ?? null;
  const about = { v: 1, seq, at, taskId, by } as const;
  if (!isObject(docket)) return { ...about, type: 'note', data: { type, payload } };
  // A newer docket's line is not guessed at: whoever reads on without it would decide on half the facts.
  if (docket['v'] !== 1 || !isEventType(docket['type'])) return undefined;
  const data = docket['type'] === 'note' ? { type, payload } : coreData(payload, docket['data']);
  if (!data) return undefined;
  const { key, more } = docket;
  const fact = { ...about, type: docket['type'], data } as Event;
  if (typeof key === 'string') fact.key = key;
  if (typeof more === 'number') fact.more = more;
  return fact;
}

function coreData(payload: Json, hidden: Json | undefined): Data | undefined {
  if (!isObject(payload)) return undefined;
  const { agentInstance: _instance, gateId: _gate, ...data } = payload;
  return isObject(hidden) ? { ...data, ...hidden } : data;
}

/** What readers of the format look for. No core fact has data under these names. */
function addedTo(event: NewEvent, before: Task | undefined): Data {
  const instance = instanceOf(event, before);
  return {
    ...(instance !== undefined && { agentInstance: instance }),
    ...((event.type === 'gate.opened' || event.type === 'gate.answered') && { gateId: event.data.gate }),
    ...(event.type === 'attempt.started' && { adapter: nativeAdapter(event.data) }),
  };
}

function hiddenBy(event: NewEvent): Data | undefined {
  if (event.type !== 'attempt.started' || nativeAdapter(event.data) === event.data.adapter) return undefined;
  return { adapter: event.data.adapter };
}

function instanceOf({ data }: NewEvent, before: Task | undefined): string | undefined {
  if ('step' in data) return data.step;
  return 'gate' in data ? before?.run?.gates[data.gate]?.step : undefined;
}

/** The format's own word for a fact. */
type Word<E extends NewEvent> = string | ((data: E['data']) => string);

const stepWords = { done: 'completed', failed: 'failed', blocked: 'blocked', canceled: 'cancelled' } as const;

/** For all others the core's word is as good. */
const words: { readonly [T in NewEvent['type']]?: Word<Extract<NewEvent, { type: T }>> } = {
  'attempt.started': 'agent.started',
  'attempt.session': 'agent.session',
  'attempt.ended': 'agent.attempt.ended',
  'step.ended': ({ state }) => `agent.${stepWords[state]}`,
  'gate.opened': 'gate.blocked',
  'gate.answered': ({ decision }) => `gate.${decision}`,
  note: ({ type }) => type,
};

function wordOf({ type, data }: NewEvent): string {
  const word = words[type] as Word<NewEvent> | undefined;
  return typeof word === 'function' ? word(data) : (word ?? type);
}

/** What readers of the format want to see beside the facts: each change of phase and of the task's state, in order. */
function notes(before: Task | undefined, after: Task, facts: readonly NewEvent[]): NewEvent[] {
  const found: NewEvent[] = [];
  let task = before;
  for (const [at, fact] of facts.entries()) {
    const next = at === facts.length - 1 ? after : evolve(task, stamped(fact, after));
    if (!next) continue;
    found.push(...phasesThrough(task, fact, next).map((phase) => phaseNote(next, phase)));
    const [from, to] = [task && stateWord(task), stateWord(next)];
    if (from !== undefined && from !== to)
      found.push(note(next, fact.by, 'task.state.changed', { from, to }));
    task = next;
  }
  return found;
}

function phaseNote(task: Task, state: Phase): NewEvent {
  const goal = state === 'dispatching' && task.run ? { sessionGoal: task.run.goal } : {};
  return note(task, 'controller', 'controller.state.changed', { state, ...goal });
}

function note({ id }: Task, by: string, type: string, payload: Record<string, string>): NewEvent {
  return { type: 'note', taskId: id, by, data: { type, payload } };
}

/** Only to see what it makes of the task on the way; its real stamp is the store's. */
function stamped(fact: NewEvent, { rev, updatedAt }: Task): Event {
  return { ...fact, v: 1, seq: rev, at: updatedAt };
}
