import type { Attempt } from './attempt.ts';

/** What is known of a call of an agent. */
export type Called = NonNullable<Attempt['before']>;

/**
 * The step's latest attempt whose agent was called, as far as is known. One that was written down and then not made (its
 * provider was left alone meanwhile, or docket died) leaves the step, and its conversation, where it was.
 */
export function lastCall(task: { attempts?: Record<string, Attempt> }, step: string): Called | undefined {
  const latest = task.attempts?.[step];
  return latest?.end?.uncalled ? latest.before : latest;
}
