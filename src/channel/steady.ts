import { DocketError, messageOf } from '../errors.ts';
import { sleepUnless } from '../io/clock.ts';
import { backoffMs } from './backoff.ts';
import type { Note } from './channel.ts';

interface Steady {
  signal: AbortSignal;
  backoff?: typeof backoffMs;
  random?: () => number;
  onNote?: (note: Note) => void;
}

/** It is looked again at least this often, so that a message does not wait for long once there is room. */
const mostDoublings = 6;

/** A full disk, or a lock that others hold: nobody has to change anything in docket. */
export function passes(error: unknown): boolean {
  return error instanceof DocketError && error.exitCode === 75;
}

/** A part of what is done for long: what passes by itself is told, and it begins again. */
export async function steady(
  part: (signal: AbortSignal) => Promise<unknown>,
  options: Steady,
): Promise<void> {
  const { signal, backoff = backoffMs, random = Math.random, onNote } = options;
  for (let tries = 1; ; tries = Math.min(tries + 1, mostDoublings)) {
    try {
      await part(signal);
      return;
    } catch (error) {
      if (!passes(error) || signal.aborted) throw error;
      onNote?.({ kind: 'trouble', text: messageOf(error) });
      await sleepUnless(backoff(tries, random()), signal);
    }
  }
}
