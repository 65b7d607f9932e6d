import type { Card, Event, Task } from './schema.ts';

/**
 * The fold: state after = evolve(state before, fact). It never refuses: what is in the journal has happened.
 * A fact about an unknown task means that the journal is damaged, which the journal's own checks have ruled
 * out, so the caller treats `undefined` for anything but a creation as an error.
 */
export function evolve(task: Task | undefined, event: Event): Task | undefined {
  if (event.type === 'task.created') return created(event);
  if (task === undefined) return undefined;
  const { at, seq } = event;
  switch (event.type) {
    case 'task.edited':
      return { ...task, ...event.data.set, rev: seq, updatedAt: at };
    case 'task.claimed':
      return {
        ...cardOf(task, event),
        status: 'queued',
        owner: event.data.owner,
        lease: event.data.lease,
        token: seq,
      };
    case 'task.released':
      return { ...withoutOwner(task, event), status: 'queued' };
    case 'task.renewed':
      return 'lease' in task && task.lease?.kind === 'term'
        ? { ...task, lease: { kind: 'term', until: event.data.until }, rev: seq, updatedAt: at }
        : { ...task, rev: seq, updatedAt: at };
    case 'task.started':
      return {
        ...cardOf(task, event),
        status: 'running',
        owner: event.data.owner,
        lease: event.data.lease,
        token: seq,
        startedAt: event.data.when ?? at,
      };
    case 'task.submitted':
      return task.status === 'running'
        ? { ...task, status: 'review', summary: event.data.summary, rev: seq, updatedAt: at }
        : task;
    case 'task.returned':
      return task.status === 'review' ? returned(task, event) : task;
    case 'task.done':
      return {
        ...cardOf(task, event),
        status: 'done',
        startedAt: startOf(task) ?? task.createdAt,
        finishedAt: event.data.when ?? at,
        summary: event.data.summary,
      };
    case 'task.blocked':
      return { ...cardOf(task, event), ...started(task), status: 'blocked', reason: event.data.reason };
    case 'task.requeued': // keeps its place: an interruption must not cost it the time it has waited
      return { ...withoutOwner(task, event), status: 'queued' };
    case 'task.reopened':
      return { ...withoutOwner(task, event), status: 'queued', queuedAt: at };
    case 'task.failed':
      return {
        ...cardOf(task, event),
        ...started(task),
        status: 'failed',
        finishedAt: event.data.when ?? at,
        failure: event.data.failure,
      };
    case 'task.canceled':
      return {
        ...cardOf(task, event),
        status: 'canceled',
        finishedAt: event.data.when ?? at,
        canceledBecause: event.data.reason,
      };
    case 'task.archived':
      return { ...task, archivedAt: at, rev: seq, updatedAt: at };
    case 'task.removed':
      return { ...task, removedAt: at, rev: seq, updatedAt: at };
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
  return task;
}

/** Only what every status has: what the old status required does not leak into the new one. */
function cardOf(task: Task, event: Event): Card {
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
  if (task.owner !== undefined) card.owner = task.owner;
  if (task.parent !== undefined) card.parent = task.parent;
  if (task.relatedTo !== undefined) card.relatedTo = task.relatedTo;
  return card;
}

function withoutOwner(task: Task, event: Event): Card {
  const card = cardOf(task, event);
  delete card.owner;
  return card;
}

function returned(task: Extract<Task, { status: 'review' }>, event: Event): Task {
  const { owner, lease, token, startedAt } = task;
  return { ...cardOf(task, event), status: 'running', owner, lease, token, startedAt };
}

function startOf(task: Task): string | undefined {
  return 'startedAt' in task ? task.startedAt : undefined;
}

function started(task: Task): { startedAt?: string } {
  const startedAt = startOf(task);
  return startedAt === undefined ? {} : { startedAt };
}
