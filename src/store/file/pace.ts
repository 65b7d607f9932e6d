/** In a burst of commits at most a twentieth of the time goes into files: the longer the file, the fewer writes. */
const costToPause = 19;
/** Files about one task stay short: if a write of them takes long, the machine is busy, and people are waiting for them. */
export const longestPauseForOne = 100;

/** When a file that follows the journal is written: at once when things are quiet, some milliseconds later in a burst. */
export class Pace {
  readonly #lagMs: number;
  readonly #longestMs: number;
  #lastWrite = Number.NEGATIVE_INFINITY;
  #lastCost = 0;
  #hurried = false;

  constructor(lagMs: number, longestMs = Number.POSITIVE_INFINITY) {
    this.#lagMs = lagMs;
    this.#longestMs = longestMs;
  }

  get dueIn(): number {
    if (this.#hurried) return 0;
    const forCost = Math.min(this.#lastCost * costToPause, this.#longestMs);
    const pause = this.#lagMs === 0 ? 0 : Math.max(this.#lagMs, forCost);
    return Math.max(0, this.#lastWrite + pause - performance.now());
  }

  hurry(): void {
    this.#hurried = true;
  }

  /** Another process wrote it: the pause is for all together, or eight would do nothing else. */
  noticed(): void {
    this.#lastWrite = performance.now();
  }

  wrote(startedAt: number): void {
    this.#hurried = false;
    this.#lastWrite = performance.now();
    this.#lastCost = this.#lastWrite - startedAt;
  }
}
