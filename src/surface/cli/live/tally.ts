import type { Counts } from './state.ts';

/** How many have begun, and how they ended. What goes on again has not ended. */
export class Tally {
  readonly #states = new Map<string, string>();
  /** As many as there should be; more may come. */
  expected: number | undefined;

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
      ...(this.expected !== undefined && { total: Math.max(this.expected, this.#states.size) }),
    };
  }
}
