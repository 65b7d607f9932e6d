import { DocketError } from '../../errors.ts';

export interface Flushable {
  flush(): Promise<void>;
  flushSync(): void;
}

const quickMs = 2;

/**
 * Group commit: while one flush is on its way, everybody who comes later waits for one common next flush. After
 * a flush has failed nothing more is promised, because a second flush may report success for lost pages.
 */
export class Flusher {
  readonly #file: Flushable;
  #lastMs = 0;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #failed: DocketError | undefined;

  constructor(file: Flushable) {
    this.#file = file;
  }

  /** Resolves when everything written before this call is on disk. */
  async flushed(): Promise<void> {
    this.check();
    if (!this.#running) return this.#start();
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#start();
      });
    return this.#next;
  }

  /** Resolves when nobody waits for a flush any more. */
  async idle(): Promise<void> {
    while (this.#next ?? this.#running) await (this.#next ?? this.#running)?.catch(() => undefined);
  }

  check(): void {
    if (this.#failed) throw this.#failed;
  }

  /** The same for those who cannot wait. */
  flushNow(): void {
    this.check();
    try {
      this.#file.flushSync();
    } catch (error) {
      this.#failed = stopped(error);
      throw this.#failed;
    }
  }

  #start(): Promise<void> {
    this.#running = this.#flush().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #flush(): Promise<void> {
    this.check();
    const started = performance.now();
    try {
      // A trip to the thread pool costs as much as a quick disk's flush; a slow one must not hold up the process.
      if (this.#lastMs < quickMs) this.#file.flushSync();
      else await this.#file.flush();
    } catch (error) {
      this.#failed = stopped(error);
      throw this.#failed;
    }
    this.#lastMs = performance.now() - started;
  }
}

function stopped(cause: unknown): DocketError {
  return new DocketError(
    'STORE_STOPPED',
    'the disk refused to flush, so what was written last may be lost; this process stops writing',
    'check the disk, then start docket again: it continues from what is really there',
    {},
    { cause },
  );
}
