import type { AgentEvent } from '../adapter/adapter.ts';
import type { Limits } from '../adapter/agent.ts';
import type { AgentProcess, StopReason } from '../io/process/process.ts';

const looksPerLimit = 10;
const longestLookMs = 5_000;

/** Ends what takes too long or has gone silent. It knows of open tools, because a long silent tool is no stall. */
export class Watchdog {
  readonly #limits: Limits;
  readonly #process: AgentProcess;
  readonly #patient: boolean;
  readonly #started = performance.now();
  readonly #openTools = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #lastEvent = performance.now();
  #questions = 0;
  #askedAt = 0;
  /** How long people have thought about its questions: that is not the agent's time. */
  #waited = 0;

  /** `patient`: the agent does not say when a tool begins, so every silence may be one. */
  constructor(process: AgentProcess, limits: Limits, options: { patient: boolean }) {
    this.#process = process;
    this.#limits = limits;
    this.#patient = options.patient;
    const shortest = Math.min(limits.wallMs, limits.silenceMs, limits.toolSilenceMs);
    this.#timer = setInterval(() => this.#look(), Math.min(shortest / looksPerLimit, longestLookMs));
  }

  saw(event: AgentEvent): void {
    this.#lastEvent = performance.now();
    if (event.type !== 'tool') return;
    if (event.phase === 'start') this.#openTools.add(event.id);
    else this.#openTools.delete(event.id);
  }

  /** The agent waits for a person until the function is called that this returns. */
  holdsQuestion(): () => void {
    if (this.#questions === 0) this.#askedAt = performance.now();
    this.#questions += 1;
    return () => {
      this.#questions -= 1;
      if (this.#questions > 0) return;
      this.#lastEvent = performance.now();
      this.#waited += this.#lastEvent - this.#askedAt;
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const reason = this.#reason(performance.now());
    if (reason === undefined) return;
    this.close();
    // The process's own end tells the rest; a stop that fails is told there as well.
    this.#process.stop(reason).catch(() => undefined);
  }

  #reason(now: number): StopReason | undefined {
    const { wallMs, silenceMs, toolSilenceMs } = this.#limits;
    if (this.#questions > 0) return undefined;
    if (now - this.#started - this.#waited > wallMs) return 'timeout';
    const silent = now - Math.max(this.#process.lastOutput(), this.#lastEvent);
    const allowed = this.#patient || this.#openTools.size > 0 ? toolSilenceMs : silenceMs;
    return silent > allowed ? 'stall' : undefined;
  }
}
