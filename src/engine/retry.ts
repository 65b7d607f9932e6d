import type { AgentError, ErrorClass } from '../adapters/adapter.ts';
import type { BlockReason } from '../task/schema.ts';

interface Policy {
  /** Attempts in all that may end with this class before the step gives up. */
  tries: number;
  /** The first pause; it doubles from try to try. */
  pauseMs: number;
  /** What the task becomes when the tries are used up: blocked for this reason, or failed. */
  lastly: BlockReason['kind'] | 'fail';
}

/** Retryable or not is a property of the class. What a person or time must mend blocks; the rest fails. */
export const policies: Readonly<Record<ErrorClass, Policy>> = {
  transient: { tries: 4, pauseMs: 2_000, lastly: 'provider' },
  limit: { tries: 1, pauseMs: 0, lastly: 'limit' },
  auth: { tries: 1, pauseMs: 0, lastly: 'auth' },
  'prompt-too-large': { tries: 2, pauseMs: 0, lastly: 'provider' },
  refused: { tries: 1, pauseMs: 0, lastly: 'refused' },
  tooling: { tries: 2, pauseMs: 1_000, lastly: 'setup' },
  timeout: { tries: 1, pauseMs: 0, lastly: 'fail' },
  stall: { tries: 2, pauseMs: 0, lastly: 'stall' },
  crashed: { tries: 3, pauseMs: 1_000, lastly: 'crash' },
  unknown: { tries: 2, pauseMs: 2_000, lastly: 'fail' },
};

const longestWaitMs = 60_000;

/** Milliseconds until the next try, or undefined: no more. Jitter, so that ten who fell together do not rise together. */
export function pauseBefore(
  error: AgentError,
  failures: number,
  now: number,
  random: () => number = Math.random,
): number | undefined {
  const { tries, pauseMs } = policies[error.class];
  if (failures >= tries) return undefined;
  const backoff = pauseMs * 2 ** (failures - 1) * (0.5 + random());
  const told = error.resetAt === undefined ? 0 : Date.parse(error.resetAt) - now;
  const pause = Math.max(backoff, told);
  return pause <= longestWaitMs ? pause : undefined;
}
