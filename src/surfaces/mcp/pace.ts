/** So many in a minute: a bucket that fills up again evenly. */
export class Pace {
  readonly #most: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(perMinute: number, now: () => number) {
    this.#most = perMinute;
    this.#now = now;
    this.#left = perMinute;
    this.#at = now();
  }

  /** Takes one, or says in how many seconds there is one. */
  take(): number {
    const now = this.#now();
    // A clock that was set back takes nothing away.
    this.#left = Math.min(this.#most, this.#left + (Math.max(0, now - this.#at) / 60_000) * this.#most);
    this.#at = now;
    if (this.#left >= 1) {
      this.#left -= 1;
      return 0;
    }
    return Math.ceil(((1 - this.#left) / this.#most) * 60);
  }
}
