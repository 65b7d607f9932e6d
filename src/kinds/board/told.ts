import { cardFor, type NoticeCard } from '../../render/board/notice-card.ts';
import { dispatchNotices, handoverNotice } from '../../render/board/notice-dispatch.ts';
import { notice } from '../../render/board/notice.ts';
import type { TaskView } from '../../render/board/outcome.ts';
import type { Event } from '../../task/schema.ts';
import type { Locale } from './format/intent.ts';
import type { DispatchOrder } from './format/log-notes.ts';
import { foreman } from './moves.ts';
import { meanings, type Meant } from './told-meaning.ts';

/** What of the work itself reaches the group, beside its milestones. */
export type Visibility = 'milestone_only' | 'handoff_visible' | 'full_visible';

/** A message to the group. */
export interface Told {
  /** The same whenever it is made again: what carries it is shown once. */
  key: string;
  /** The line of the log that it comes from; 0: it stands in no log. */
  seq: number;
  taskId: string;
  text: string;
  /** In whose name it is sent, where that is not the orchestrator's. */
  from?: string;
  card?: NoticeCard;
}

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
