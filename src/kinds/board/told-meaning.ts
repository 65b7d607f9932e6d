import type { Move, TaskView } from '../../render/board/outcome.ts';
import type { Event } from '../../task/schema.ts';
import { noteTypes, orderIn, textIn, type DispatchOrder } from './format/log-notes.ts';
import { ownOf } from './format/own.ts';
import { takenFrom } from './moves.ts';

/** What a command came to for one task: the fact that people want to hear of stands for the ones before it. */
export type Telling = { event: Event; now: Partial<TaskView> } & (
  | { order: DispatchOrder; meant?: undefined }
  | { order?: undefined; meant: Meant }
);

/** Of one transaction, a telling for each of its tasks that there is something to tell about. */
export function meanings(facts: readonly Event[]): Telling[] {
  return [...new Set(facts.map(({ taskId }) => taskId))].flatMap((id): Telling[] => {
    // Its diagnosis says why it is blocked.
    if (facts.some((fact) => fact.type === 'task.created' && fact.data.relatedTo === id)) return [];
    const own = facts.filter(({ taskId }) => taskId === id);
    for (const event of own.toReversed()) {
      const order = orderOf(event);
      if (order) return [{ event, order, now: statusIn(own) }];
      const meant = meaning(event, own);
      if (meant) return [{ event, meant, now: meant.now }];
    }
    return [];
  });
}

function orderOf(event: Event): DispatchOrder | undefined {
  if (event.type !== 'note' || event.data.type !== noteTypes.dispatched) return undefined;
  return orderIn(event.data.payload);
}

/** Where it is by the same command, if that moved it. */
function statusIn(own: readonly Event[]): Partial<TaskView> {
  const moved = own.findLast(({ type }) => type === 'task.claimed' || type === 'task.started');
  return moved ? { status: moved.type === 'task.claimed' ? 'claimed' : 'in_progress' } : {};
}

/** A fact in the words of the board, and what it says of the task that holds at that moment. */
export interface Meant {
  move: Move;
  now: Partial<TaskView>;
  text?: string;
  other?: string;
}

function meaning(event: Event, own: readonly Event[]): Meant | undefined {
  const noted = (type: string) => own.find((one) => one.type === 'note' && one.data.type === type);
  switch (event.type) {
    case 'task.created': {
      const { title, relatedTo, extras = {}, spec } = event.data;
      const assigneeHint = ownOf({ extras }).assigneeHint ?? event.by;
      const now = { status: 'pending', title, assigneeHint, relatedTo: relatedTo ?? null };
      if (relatedTo === undefined) return { move: 'created', now, text: title };
      const why = typeof spec.body === 'string' && spec.body !== '' ? spec.body : title;
      return { move: 'escalated', now, text: why };
    }
    case 'task.claimed':
      return claimed(event.data.owner, 'claimed', own);
    case 'task.started':
      // A process takes a task up because it was dispatched, and that was told.
      return event.data.lease.kind === 'process' ? undefined : claimed(event.data.owner, 'started', own);
    case 'task.submitted': {
      const note = noted(noteTypes.reviewer);
      const reviewer = note?.type === 'note' ? textIn(note.data.payload, 'reviewer') : undefined;
      const other = reviewer === undefined ? {} : { other: reviewer };
      return { move: 'submitted', now: { status: 'review' }, text: event.data.summary, ...other };
    }
    case 'task.returned':
      return { move: 'returned', now: { status: 'in_progress' }, text: event.data.reason };
    case 'task.done': {
      const approved = noted(noteTypes.approved) !== undefined;
      const who = approved ? { other: event.by } : {};
      return {
        move: approved ? 'approved' : 'done',
        now: { status: 'done' },
        text: event.data.summary,
        ...who,
      };
    }
    case 'task.blocked': {
      const { kind, text } = event.data.reason;
      return { move: kind === 'verify' ? 'gated' : 'blocked', now: { status: 'blocked' }, text };
    }
    case 'task.requeued': {
      if (event.by === 'docket') return undefined; // its worker was lost, or docket was stopped: it goes on
      const move = noted(noteTypes.reopened) ? 'reopened' : 'unblocked';
      return { move, now: { status: 'pending', owner: null }, text: event.data.reason };
    }
    case 'task.reopened':
      return { move: 'reopened', now: { status: 'pending', owner: null }, text: event.data.reason };
    case 'task.failed':
      return { move: 'failed', now: { status: 'failed' }, text: event.data.failure.error };
    case 'task.canceled':
      return { move: 'canceled', now: { status: 'blocked' }, text: event.data.reason };
    case 'task.edited': {
      const { needs } = event.data.set;
      return needs && { move: 'linked', now: {}, text: needs.join(', ') };
    }
    case 'note': {
      const text = event.data.type === noteTypes.progress ? textIn(event.data.payload, 'text') : undefined;
      return text === undefined ? undefined : { move: 'progress', now: {}, text };
    }
    default:
      return undefined;
  }
}

function claimed(owner: string, move: 'claimed' | 'started', own: readonly Event[]): Meant {
  const now = { status: move === 'claimed' ? 'claimed' : 'in_progress', owner };
  const from = own
    .flatMap((one) => (one.type === 'task.released' || one.type === 'task.requeued' ? [one.data.reason] : []))
    .map(takenFrom)
    .find((name) => name !== undefined);
  return from === undefined ? { move, now } : { move: 'stolen', now, other: from };
}
