import type { NewEvent } from '../../../task/schema.ts';

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

export function wordOf({ type, data }: NewEvent): string {
  const word = words[type] as Word<NewEvent> | undefined;
  return typeof word === 'function' ? word(data) : (word ?? type);
}
