import type { TaskOf } from '../task/schema.ts';
import type { Claim, ClaimState, LeaseTerms } from './store.ts';

interface Kept {
  claim: Claim;
  lost: AbortController;
}

/**
 * The claims of one worker, from the moment they are made: one question to the store for all of them, every so often. A
 * claim ends when the store says so, or when the store has not answered for as long as a lease lasts.
 */
export class Heartbeat {
  readonly #ask: (claims: readonly Claim[]) => Promise<readonly ClaimState[]>;
  readonly #everyMs: number;
  readonly #lastsMs: number;
  readonly #kept = new Set<Kept>();
  #timer: NodeJS.Timeout | undefined;
  #asking = false;
  #until = Infinity;

  constructor(
    ask: (claims: readonly Claim[]) => Promise<readonly ClaimState[]>,
    { beatMs = 2_000, leaseMs = Infinity }: LeaseTerms = {},
  ) {
    this.#ask = ask;
    this.#everyMs = beatMs;
    this.#lastsMs = leaseMs;
  }

  hold(task: TaskOf<'running'>, release: () => Promise<void>): Claim {
    const lost = new AbortController();
    const until = () => this.#until;
    const claim: Claim = {
      task,
      token: task.token,
      signal: lost.signal,
      get until() {
        return until();
      },
      release: () => {
        this.#drop(kept);
        return release();
      },
    };
    const kept = { claim, lost };
    if (this.#kept.size === 0) this.#until = Date.now() + this.#lastsMs;
    this.#kept.add(kept);
    this.#timer ??= setInterval(() => void this.#beat(), this.#everyMs).unref();
    return claim;
  }

  close(): void {
    for (const kept of this.#kept) this.#drop(kept);
  }

  #drop(kept: Kept): void {
    this.#kept.delete(kept);
    if (this.#kept.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #beat(): Promise<void> {
    // Before anything else: a store that does not answer must not keep a lease alive.
    if (Date.now() >= this.#until) for (const kept of this.#kept) this.#end(kept, 'lost');
    if (this.#asking) return;
    this.#asking = true;
    const sent = Date.now();
    const asked = [...this.#kept];
    try {
      const states = await this.#ask(asked.map(({ claim }) => claim));
      this.#until = sent + this.#lastsMs;
      for (const [at, state] of states.entries())
        if (asked[at] && state !== 'ok') this.#end(asked[at], state);
    } catch {
      // A store that cannot be asked now says so at the next write, or can be asked again.
    } finally {
      this.#asking = false;
    }
  }

  #end(kept: Kept, why: Exclude<ClaimState, 'ok'>): void {
    this.#drop(kept);
    kept.lost.abort(why);
  }
}
