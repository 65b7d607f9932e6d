import type { Item, View } from './types.ts';

/** What only a person can do, the oldest first: what people are told of, and what waits for something that will never be. */
export function needsOfView({ needs, stuck }: View): Item[] {
  const lost = stuck.filter(({ why }) => why.kind === 'dependency');
  return [...needs, ...lost].toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
}
