import type { Lost, NamedNeed, UnmetNeed } from '../task/needs.ts';

/** Only a person gets it done: it stands still for good, or waits for what does. `lostIn` decides that. */
export function isLost({ lost }: UnmetNeed): boolean {
  return lost !== undefined;
}

/** By what people call the tasks, where somebody knows that. */
export function namedNeed(need: UnmetNeed, nameOf: (id: string) => string | undefined): NamedNeed {
  const { lost, ...rest } = need;
  const called = (id: string) => {
    const name = nameOf(id);
    return name === undefined ? {} : { name };
  };
  return { ...rest, ...called(need.on), ...(lost && { lost: { ...lost, ...called(lost.on) } }) };
}

/** `base (canceled), which will never be done`: the lost ones alone where there are some, as the others do not matter then. */
export function needsText(unmet: readonly NamedNeed[]): string {
  const lost = unmet.filter(isLost);
  if (lost.length === 0) return unmet.map(oneText).join(', ');
  const never = lost.every((need) => need.lost && neverDone.has(need.lost.status));
  const end = never ? 'which will never be done' : 'which nothing takes up again by itself';
  return `${lost.map(oneText).join(', ')}, ${end}`;
}

const neverDone: ReadonlySet<Lost['status']> = new Set(['missing', 'canceled']);

function oneText({ on, name = on, status, lost }: NamedNeed): string {
  if (!lost) return `${name} (${status})`;
  if (lost.on === on) return `${name} (${lost.status})`;
  return `${name} (${status}), behind ${lost.name ?? lost.on} (${lost.status})`;
}

/** What people read of a task that a file or another tool calls done (`unproved`). */
export const unprovedText = 'marked done by hand, not proved';

/** What people read of a step whose docket process died, until a run continues it. */
export function interruptedText({ agent, step }: { agent: string; step: string }): string {
  return `${agent} was at ${step} when its docket process died; nothing runs it now`;
}
