import type { NewEvent } from './schema.ts';

/** By name, because only the schema lists them, and reading must not load it. */
const eventTypes: Record<NewEvent['type'], true> = {
  'task.created': true,
  'task.edited': true,
  'task.claimed': true,
  'task.released': true,
  'task.renewed': true,
  'task.started': true,
  'task.submitted': true,
  'task.returned': true,
  'task.done': true,
  'task.blocked': true,
  'task.requeued': true,
  'task.failed': true,
  'task.canceled': true,
  'task.reopened': true,
  'task.archived': true,
  'task.removed': true,
  'task.restored': true,
  'task.carried': true,
  'attempt.started': true,
  'attempt.session': true,
  'attempt.ended': true,
  'run.started': true,
  'run.joined': true,
  'step.ended': true,
  'step.reopened': true,
  'gate.opened': true,
  'gate.answered': true,
  note: true,
};

export function isEventType(type: unknown): type is NewEvent['type'] {
  return typeof type === 'string' && Object.hasOwn(eventTypes, type);
}
