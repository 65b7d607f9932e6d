import type { Live } from './live.ts';

type Begun = { task: string; step: string; agent: string };

/** A task that is worked on always has a row: those of its steps, or one of its own while none is at work. */
export class TaskRows {
  readonly #live: Live;
  readonly #now: () => number;
  readonly #steps = new Map<string, Set<string>>();

  constructor(live: Live, now: () => number) {
    this.#live = live;
    this.#now = now;
  }

  begin(id: string, task: string, step: string): void {
    this.#steps.set(id, new Set());
    this.#begin(id, { task, step, agent: '' });
  }

  step(id: string, step: string, about: Begun): void {
    this.#steps.get(id)?.add(step);
    this.#begin(`${id} ${step}`, about, id);
  }

  /** `then`: what comes after it, if nothing else is at work. */
  stepped(id: string, step: string, task: string, then: string): void {
    const key = `${id} ${step}`;
    const left = this.#steps.get(id);
    left?.delete(step);
    if (left?.size === 0) this.#begin(id, { task, step: then, agent: '' }, key);
    else this.#live.tell({ kind: 'end', key });
  }

  end(id: string): void {
    for (const step of this.#steps.get(id) ?? []) this.#live.tell({ kind: 'end', key: `${id} ${step}` });
    this.#live.tell({ kind: 'end', key: id });
    this.#steps.delete(id);
  }

  /** In the place of another, so that no row jumps while it is read. */
  #begin(key: string, about: Begun, replaces?: string): void {
    const place = replaces === undefined ? {} : { replaces };
    this.#live.tell({ kind: 'begin', key, ...about, ...place, at: this.#now() });
  }
}
