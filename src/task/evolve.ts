import { mayMove } from './allowed.ts';
import { runAfter, runAfterMove } from './evolve-run.ts';
import type { Card, Event, EventOf, Task, TaskOf } from './schema.ts';
import type { Status } from './status.ts';

/**
 * The fold: state after = evolve(state before, fact). It never refuses: what is in the journal has happened.
 * A fact about an unknown task means that the journal is damaged, which the journal's own checks have ruled
 * out, so the caller treats `undefined` for anything but a creation as an error.
 */
export function evolve(task: Task | undefined, event: Event): Task | undefined {
  if (event.type === 'task.created') return created(event);
  if (event.type === 'task.carried') return { ...(event.data.task as unknown as Task), rev: event.seq };
  if (task === undefined) return undefined;
  const { at, seq } = event;
  switch (event.type) {
    case 'task.edited': {
      const { set } = event.data;
      // One layout's extras leave those of another alone.
      const extras = set.extras ? { ...task.extras, ...set.extras } : task.extras;
      return { ...task, ...set, extras, rev: seq, updatedAt: at };
    }
    case 'task.claimed':
      return become(cardOf(task, event), {
        status: 'queued',
        owner: event.data.owner,
        lease: event.data.lease,
        token: seq,
      });
    case 'task.released':
      return become(withoutOwner(task, event), { status: 'queued' });
    case 'task.renewed':
      return 'lease' in task && task.lease?.kind === 'term'
        ? { ...task, lease: { kind: 'term', until: event.data.until }, rev: seq, updatedAt: at }
        : { ...task, rev: seq, updatedAt: at };
    case 'task.started':
      return become(moved(cardOf(task, event), task, event), {
        status: 'running',
        owner: event.data.owner,
        lease: event.data.lease,
        token: seq,
        startedAt: event.data.when ?? at,
      });
    case 'task.submitted':
      if (task.status !== 'running') return task;
      return become(cardOf(task, event), { status: 'review', summary: event.data.summary, ...claimOf(task) });
    case 'task.returned':
      return task.status === 'review'
        ? become(cardOf(task, event), { status: 'running', ...claimOf(task) })
        : task;
    case 'task.done':
      return become(moved(cardOf(task, event), task, event), {
        status: 'done',
        startedAt: startOf(task) ?? task.createdAt,
        finishedAt: event.data.when ?? at,
        summary: event.data.summary,
        ...(isUnproved(task, event) && { unproved: true }),
      });
    case 'task.blocked':
      return become(cardOf(task, event), { status: 'blocked', reason: event.data.reason, ...started(task) });
    case 'task.requeued': // keeps its place: an interruption must not cost it the time it has waited
      return become(moved(withoutOwner(task, event), task, event), { status: 'queued' });
    case 'task.reopened':
      return become(moved(reopened(task, event), task, event), { status: 'queued' });
    case 'task.failed':
      return become(moved(cardOf(task, event), task, event), {
        status: 'failed',
        finishedAt: event.data.when ?? at,
        failure: event.data.failure,
        ...started(task),
      });
    case 'task.canceled':
      return become(moved(cardOf(task, event), task, event), {
        status: 'canceled',
        finishedAt: event.data.when ?? at,
        canceledBecause: event.data.reason,
      });
    case 'task.archived':
      return { ...task, archivedAt: at, rev: seq, updatedAt: at };
    case 'task.removed':
      return { ...task, removedAt: at, rev: seq, updatedAt: at };
    case 'task.restored': {
      const { removedAt: _, ...rest } = task;
      return { ...rest, rev: seq, updatedAt: at };
    }
    case 'note':
      return { ...task, rev: seq, updatedAt: at };
    case 'attempt.started':
    case 'attempt.session':
    case 'attempt.ended':
    case 'run.started':
    case 'run.joined':
    case 'step.ended':
    case 'step.reopened':
    case 'gate.opened':
    case 'gate.answered':
      return Object.assign({ ...task, rev: seq, updatedAt: at }, runAfter(task, event));
  }
}

function created(event: Extract<Event, { type: 'task.created' }>): Task {
  const { data, seq, at } = event;
  const since = data.when ?? at;
  const task: Task = {
    id: event.taskId,
    rev: seq,
    title: data.title,
    status: 'queued',
    spec: data.spec,
    priority: data.priority ?? 0,
    needs: data.needs ?? [],
    createdAt: since,
    createdBy: event.by,
    updatedAt: at,
    queuedAt: since,
    extras: data.extras ?? {},
  };
  if (data.parent !== undefined) task.parent = data.parent;
  if (data.relatedTo !== undefined) task.relatedTo = data.relatedTo;
  if (data.standsFor !== undefined) task.standsFor = data.standsFor;
  if (data.trust !== undefined) task.trust = data.trust;
  return task;
}

/** What a status requires beside the card. */
type Facts = { [S in Status]: Omit<TaskOf<S>, Exclude<keyof Card, 'owner'>> }[Status];

/**
 * The card in its new status. Not a spread: V8 takes some fifty times as long for a literal that spreads an object
 * and then adds keys, and the fold of a journal consists of this.
 */
function become(card: Card, facts: Facts): Task {
  return Object.assign(card, facts);
}

/** Only what every status has: what the old status required does not leak into the new one. */
function cardOf(task: Task, event: Event): Card {
  const card = withoutOwner(task, event);
  if (task.owner !== undefined) card.owner = task.owner;
  return card;
}

function moved(card: Card, task: Task, event: Parameters<typeof runAfterMove>[1]): Card {
  const run = runAfterMove(task, event);
  if (run !== undefined) card.run = run;
  return card;
}

function withoutOwner(task: Task, event: Event): Card {
  const card: Card = {
    id: task.id,
    rev: event.seq,
    title: task.title,
    spec: task.spec,
    priority: task.priority,
    needs: task.needs,
    createdAt: task.createdAt,
    createdBy: task.createdBy,
    updatedAt: event.at,
    queuedAt: task.queuedAt,
    extras: task.extras,
  };
  if (task.parent !== undefined) card.parent = task.parent;
  if (task.relatedTo !== undefined) card.relatedTo = task.relatedTo;
  if (task.standsFor !== undefined) card.standsFor = task.standsFor;
  if (task.doneBy !== undefined) card.doneBy = task.doneBy;
  if (task.trust !== undefined) card.trust = task.trust;
  if (task.delivery !== undefined) card.delivery = task.delivery;
  if (task.attempts !== undefined) card.attempts = task.attempts;
  if (task.run !== undefined) card.run = task.run;
  if (task.used !== undefined) card.used = task.used;
  return card;
}

/**
 * A verdict that docket reached names its evidence, and ends a run. One from a file or from another tool has no evidence,
 * and a line about a task that was not running was written past docket, whatever it names.
 */
function isUnproved(task: Task, { type, data: { verdict } }: EventOf<'task.done'>): boolean {
  const hasEvidence = verdict.kind !== 'pass' || verdict.evidence !== undefined;
  return !hasEvidence || !mayMove(type, task.status);
}

/** A delivery that failed is no matter any more of work that is done again. */
function reopened(task: Task, event: Event): Card {
  const card = withoutOwner(task, event);
  if (card.delivery?.state === 'failed') delete card.delivery;
  card.queuedAt = event.at;
  return card;
}

function claimOf({ owner, lease, token, startedAt }: TaskOf<'running' | 'review'>) {
  return { owner, lease, token, startedAt };
}

function startOf(task: Task): string | undefined {
  return 'startedAt' in task ? task.startedAt : undefined;
}

function started(task: Task): { startedAt?: string } {
  const startedAt = startOf(task);
  return startedAt === undefined ? {} : { startedAt };
}
