import type { NamedNeed, UnmetNeed } from '../task/needs.ts';

/** Nobody will ever do it, unless a person takes it up again. */
export function isLost({ status }: UnmetNeed): boolean {
  return status === 'missing' || status === 'canceled';
}

/** `base (canceled), which will never be done`: the lost ones alone where there are some, as the others do not matter then. */
export function needsText(unmet: readonly NamedNeed[]): string {
  const lost = unmet.filter(isLost);
  const names = (lost.length > 0 ? lost : unmet).map(({ on, name = on, status }) => `${name} (${status})`);
  return `${names.join(', ')}${lost.length > 0 ? ', which will never be done' : ''}`;
}
