import type { NewEvent } from '../../task/schema.ts';

/** The format's word for a fact; `true`: it has none of its own, and the core's word is as good. */
type Word<E extends NewEvent> = true | string | ((data: E['data']) => string);

const stepWords = { done: 'completed', failed: 'failed', blocked: 'blocked', canceled: 'cancelled' } as const;

/** All of them: a line of ours with any other type was not written by this docket. */
const words: { readonly [T in NewEvent['type']]: Word<Extract<NewEvent, { type: T }>> } = {
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
  'attempt.started': 'agent.started',
  'attempt.session': 'agent.session',
  'attempt.ended': 'agent.attempt.ended',
  'run.started': true,
  'run.joined': true,
  'step.reopened': true,
  'step.ended': ({ state }) => `agent.${stepWords[state]}`,
  'gate.opened': 'gate.blocked',
  'gate.answered': ({ decision }) => `gate.${decision}`,
  note: ({ type }) => type,
};

export function wordOf({ type, data }: NewEvent): string {
  const word = words[type] as Word<NewEvent>;
  if (word === true) return type;
  return typeof word === 'string' ? word : word(data);
}

export function isCoreType(type: unknown): type is NewEvent['type'] {
  return typeof type === 'string' && Object.hasOwn(words, type);
}
