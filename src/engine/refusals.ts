import type { AgentEvent } from '../adapters/adapter.ts';

const refused = /read-only file system|\bEROFS\b|device or resource busy|\bEBUSY\b/i;
const most = 20;
const longest = 200;

/**
 * What the sandbox kept an agent from writing, as far as its own events tell: a tool that failed, in the words that the
 * system has for it. Of a program that tells nothing of its tools nobody knows; it is held all the same.
 */
export class Refusals {
  readonly #open = new Map<string, string>();
  readonly #told = new Set<string>();

  saw(event: AgentEvent): void {
    if (event.type !== 'tool') return;
    if (event.phase === 'start') {
      if (event.input !== undefined && this.#open.size < most) this.#open.set(event.id, event.input);
      return;
    }
    const what = `${event.name} ${this.#open.get(event.id) ?? ''}`.trim().slice(0, longest);
    this.#open.delete(event.id);
    if (!event.ok && refused.test(event.output ?? '') && this.#told.size < most) this.#told.add(what);
  }

  denied(): AgentEvent[] {
    return [...this.#told].map((what) => ({
      type: 'denied',
      text: `the sandbox kept it from writing: ${what}`,
    }));
  }
}
