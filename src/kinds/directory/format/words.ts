import { proofQuestionFor } from '../../../task/proof-question.ts';
import type { Task } from '../../../task/schema.ts';
import type { Status } from '../../../task/status.ts';

/** A task's state in this format's words. */
export type StateWord = 'created' | 'working' | 'input-required' | 'completed' | 'failed' | 'canceled';

const states: Readonly<Record<Status, StateWord>> = {
  queued: 'created',
  running: 'working',
  review: 'working',
  blocked: 'input-required',
  done: 'completed',
  failed: 'failed',
  canceled: 'canceled',
};

/**
 * While one worker waits at a gate the others may still be at work: a person is needed all the same. The format has no word for
 * work that was begun and interrupted: it is still "working", and what says so says that nothing is running.
 */
export function stateWord(task: Task): StateWord {
  const { status, run } = task;
  const word = isInterrupted(task) ? 'working' : states[status];
  const waits =
    word === 'working' && Object.values(run?.gates ?? {}).some(({ state }) => state === 'blocked');
  return waits ? 'input-required' : word;
}

/** Begun, not finished, and nobody works on it: a resume continues it. */
export function isInterrupted({ status, run }: Task): boolean {
  return status === 'queued' && run !== undefined && Object.keys(run.states).length > 0;
}

const statuses = {
  running: 'running',
  ready: 'unknown',
  done: 'completed',
  failed: 'failed',
  blocked: 'blocked',
  canceled: 'cancelled',
} as const;

/**
 * A worker's status. Unknown: not dispatched, or not again; and what nobody runs is never called running. Work that a
 * person is asked about, because it is not proved, is not completed.
 */
export function statusWord(task: Task, step: string): string {
  const state = task.run?.states[step];
  const word = state ? statuses[state.state] : 'unknown';
  if (word === 'completed' && proofQuestionFor(task.run, step)) return statuses.blocked;
  return word === 'running' && task.status !== 'running' ? 'unknown' : word;
}

/** `2 completed, 1 blocked` */
export function countWords(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
