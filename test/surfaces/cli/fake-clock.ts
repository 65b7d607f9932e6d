/** Time that moves when it is told to, and calls those who wait for it on its way. */
export class FakeClock {
  #now = Date.parse('2026-03-01T12:00:00Z');
  readonly #waiting = new Set<{ due: number; ms: number; listener: () => void }>();

  now(): number {
    return this.#now;
  }

  every(ms: number, listener: () => void): () => void {
    const entry = { due: this.#now + ms, ms, listener };
    this.#waiting.add(entry);
    return () => void this.#waiting.delete(entry);
  }

  /** How many still wait: nobody should when the work is over. */
  get waiting(): number {
    return this.#waiting.size;
  }

  pass(seconds: number): void {
    const until = this.#now + seconds * 1000;
    for (;;) {
      const [next] = [...this.#waiting].filter(({ due }) => due <= until).toSorted((a, b) => a.due - b.due);
      if (next === undefined) break;
      this.#now = next.due;
      next.due += next.ms;
      next.listener();
    }
    this.#now = until;
  }
}
