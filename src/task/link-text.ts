import type { Link } from './link.ts';

/** `board:T-12`, as people write it. */
export function linkText({ layout, id, step }: Link): string {
  return `${layout}:${id}${step === undefined ? '' : `/${step}`}`;
}

export function isSameLink(a: Link | undefined, b: Link | undefined): boolean {
  return a !== undefined && b !== undefined && linkText(a) === linkText(b);
}
