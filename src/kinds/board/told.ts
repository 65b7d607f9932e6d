import { cardFor, dispatchNotices, handoverNotice, notice } from '../../render/board/notice.ts';
import type { Move, TaskView, Told } from '../../render/board/outcome.ts';
import type { Event } from '../../task/schema.ts';
import { type DispatchOrder, noteTypes, orderIn, textIn, ownOf } from './format/extras.ts';
import type { Locale } from './format/intent.ts';
import { foreman, takenFrom } from './moves.ts';

/** What of the work itself reaches the group, beside its milestones. */
export type Visibility = 'milestone_only' | 'handoff_visible' | 'full_visible';

export type { Told };

export interface ToldOptions {
  locale: Locale;
  visibility: Visibility;
  mentionOf: (role: string) => string;
  /** Who may speak to the group. Absent: anybody. */
  broadcasters?: readonly string[];
}

type TaskOf = (id: string) => TaskView | undefined;

/**
 * What the group is told about these lines of the log, whoever wrote them and whenever they are read. Transactions are
 * not to be cut: what several facts of one command mean is told once.
 */
export function toldOf(events: readonly Event[], taskOf: TaskOf, options: ToldOptions): Told[] {
  return transactions(events)
    .flatMap(meanings)
    .flatMap(({ event, order, now, meant }) => {
      if (!maySpeak(event.by, options)) return [];
      if (order) return dispatchTold(event, order, now, taskOf, options);
      const isTold = meant && (meant.move !== 'progress' || options.visibility === 'full_visible');
      return isTold ? movedTold(event, meant, taskOf, options) : [];
    });
}

function transactions(events: readonly Event[]): Event[][] {
  const all: Event[][] = [];
  let goesOn = false;
  for (const event of events) {
    if (goesOn) all.at(-1)?.push(event);
    else all.push([event]);
    goesOn = (event.more ?? 0) > 0;
  }
  return all;
}

/** Whoever asked for it, the orchestrator tells the group; but a broadcaster speaks for itself, if it may. */
export function speakerFor(actor: string): string {
  return actor === 'broadcaster' ? actor : foreman;
}

function maySpeak(by: string, { broadcasters }: ToldOptions): boolean {
  return broadcasters === undefined || broadcasters.includes(speakerFor(by));
}

function movedTold(event: Event, meant: Meant, taskOf: TaskOf, options: ToldOptions): Told[] {
  const { locale, visibility, mentionOf } = options;
  const { taskId, seq } = event;
  const { now, ...about } = meant;
  const task = { ...(taskOf(taskId) ?? nothingOf(taskId)), ...now };
  const text = notice({ kind: 'moved', ...about, task }, locale);
  const card = cardFor(meant.move, { taskId, times: seq }, text, locale);
  const told: Told = { key: keyOf(event), seq, taskId, text, ...(card && { card }) };
  // Docket itself wrote it down, so the agent that it had started has handed over.
  const from = event.by === 'docket' && meant.move === 'done' ? task.owner : null;
  if (from === null || visibility === 'milestone_only') return [told];
  const over = { taskId, agent: from, result: meant.text ?? '' };
  return [
    told,
    {
      key: `${told.key}.2`,
      seq,
      taskId,
      text: handoverNotice(over, mentionOf(foreman), locale),
      from,
    },
  ];
}

/** Two messages: who has the task now, and what the agent is asked for. */
function dispatchTold(
  event: Event,
  order: DispatchOrder,
  now: Partial<TaskView>,
  taskOf: TaskOf,
  options: ToldOptions,
): Told[] {
  const { taskId, seq } = event;
  // Where it is by now is of no interest: a worker that docket starts takes it up.
  const taken = order.mode === 'spawn' ? { status: 'claimed' } : {};
  const task = { ...(taskOf(taskId) ?? nothingOf(taskId)), ...taken, ...now, owner: order.agent };
  const mentions = { agent: options.mentionOf(order.agent), orchestrator: options.mentionOf(foreman) };
  const [claim, work] = dispatchNotices({ ...order, task, mentions }, options.locale);
  const key = keyOf(event);
  return [
    { key, seq, taskId, text: claim },
    { key: `${key}.2`, seq, taskId, text: work },
  ];
}

function keyOf({ id, seq }: Event): string {
  return id ?? `line-${seq}`;
}

/** Taken off the board since: what the line itself says is told. */
function nothingOf(taskId: string): TaskView {
  const unknown = {
    owner: null,
    blockedReason: null,
    result: null,
    review: null,
    relatedTo: null,
    updatedAt: '',
  };
  return { taskId, title: '', status: '', assigneeHint: '', ...unknown };
}

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
interface Meant {
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
