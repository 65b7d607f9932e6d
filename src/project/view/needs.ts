import type { Item, View } from './types.ts';

/** What only a person can do, the oldest first: what people are told of, and what waits for something that will never be. */
export function needsOfView({ needs, stuck }: View): Item[] {
  const told = new Set(needs.map(({ layout, id }) => `${layout}:${id}`));
  // Who mends what is told, or what stands next to the cause, mends all that waits behind it.
  const lost = stuck.filter(({ layout, why }) => why.on?.some((id) => !told.has(`${layout}:${id}`)));
  return [...needs, ...lost].toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
}
