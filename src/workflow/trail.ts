import type { Run, Step } from '../task/run.ts';

/** The steps that decided where a run went, in their order: parts of a fan, and people who were asked, are not among them. */
export function trail({ steps }: Pick<Run, 'steps'>): Step[] {
  const parts = new Set(steps.flatMap(({ needs }) => needs));
  return steps.filter(({ id, kind }) => kind !== 'human' && !parts.has(id));
}
