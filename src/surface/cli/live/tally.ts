import type { Counts } from './state.ts';

/** How many have begun, and how they ended. What goes on again has not ended. */
export class Tally {
  readonly #states = new Map<string, string>();
  readonly #awaited = new Set<string>();
  /** As many as there should be; more may come. */
  expected: number | undefined;

  /** This one is to come, beside those that are expected. */
  awaits(key: string): void {
    this.#awaited.add(key);
  }

  begin(key: string): void {
    this.#states.set(key, '');
  }

  end(key: string, state: string): void {
    this.#states.set(key, state);
  }

  get counts(): Counts {
    const count = (...states: string[]) =>
      [...this.#states.values()].filter((one) => states.includes(one)).length;
    return {
      done: count('done'),
      failed: count('failed', 'canceled'),
      blocked: count('blocked'),
      ...(this.expected !== undefined && {
        total: Math.max(this.expected + this.#awaited.size, this.#states.size),
      }),
    };
  }
}
