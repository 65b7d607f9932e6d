import type { Store, Claim } from '../store/store.ts';

const everyMs = 2_000;

/**
 * Asks while an agent works whether the task is still ours. When it is not (somebody canceled it, or settled it by
 * hand), the signal says so: then the agent is ended, and nothing is written any more.
 */
export class Heartbeat {
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #asking = false;

  constructor(store: Store, claim: Claim) {
    this.#timer = setInterval(() => void this.#ask(store, claim), everyMs);
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #ask(store: Store, claim: Claim): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      if ((await store.beat(claim)) !== 'ok') this.#lost.abort('canceled');
    } catch {
      // A store that cannot be asked now says so at the next write, or can be asked again.
    } finally {
      this.#asking = false;
    }
  }
}
