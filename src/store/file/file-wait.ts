/** The other tools look again after so long. */
const pauseMs = 25;
const longPauseMs = 1000;

/** When the mirror is to be tried again that could not be written now. Commits do not wait for it. */
export class FileWait {
  readonly #longestMs: number;
  #since: number | undefined;
  #next = 0;

  /** So long somebody who wants to end waits for the file; who stays tries less often from then on. */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** Milliseconds until the next try; undefined: nothing is in the way. */
  get dueIn(): number | undefined {
    return this.#since === undefined ? undefined : Math.max(0, this.#next - performance.now());
  }

  get isOver(): boolean {
    return this.#since !== undefined && performance.now() - this.#since >= this.#longestMs;
  }

  begin(): void {
    this.#since ??= performance.now();
    this.#next = performance.now() + (this.isOver ? longPauseMs : pauseMs);
  }

  end(): void {
    this.#since = undefined;
  }
}
