import { DocketError } from '../../errors.ts';
import type { Ledger } from '../ledger.ts';
import type { Commit } from '../store.ts';

/** Something to be done under the lock. */
export type Job<T> = (ledger: Ledger, commit: Commit, now: string) => T;

export interface Waiting {
  run: Job<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

export interface Ran {
  waiting: Waiting;
  value: unknown;
  /** How many transactions of the round must be in the file for this answer to be true. */
  after: number;
  durable: boolean;
}

/** Runs one job; undefined when it failed, and whoever waits for it knows. */
export function runOne(
  waiting: Waiting,
  ledger: Ledger,
  commit: Commit,
  now: string,
  lines: readonly unknown[],
): Ran | undefined {
  const before = lines.length;
  let duplicate = false;
  const watched: Commit = (tx) => {
    const outcome = commit(tx);
    // The first commit of this key may still be on its way to the disk in the process that wrote it.
    duplicate ||= outcome.kind === 'duplicate';
    return outcome;
  };
  try {
    const value = waiting.run(ledger, watched, now);
    return { waiting, value, after: lines.length, durable: duplicate || lines.length > before };
  } catch (error) {
    waiting.reject(
      error instanceof DocketError ? error : new Error('a job failed under the lock', { cause: error }),
    );
    return undefined;
  }
}
