import * as v from 'valibot';
import { kindNames } from './kind-names.ts';
import { positive } from './parts.ts';

/** Packets have dots in their names; no id is a path. */
const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/));

/** From one task to another, in whichever layout that is: what is done for whom, and by whom. */
const linkSchema = v.strictObject({
  layout: v.picklist(kindNames),
  id,
  /** The step of it that is meant. */
  step: v.exactOptional(v.pipe(v.string(), v.minLength(1), v.maxLength(128))),
});
export type Link = v.InferOutput<typeof linkSchema>;

/** The task that does this one's work. */
const heardSchema = v.strictObject({
  ...linkSchema.entries,
  /** The revision of it that this task has heard of last, and what that made of this one. */
  rev: v.exactOptional(positive),
  as: v.exactOptional(v.picklist(['held', 'blocked', 'free', 'done'])),
});
export type Heard = v.InferOutput<typeof heardSchema>;

export const linkFields = {
  /** Its result is that task's, or that step's. */
  standsFor: v.exactOptional(linkSchema),
  doneBy: v.exactOptional(heardSchema),
};

/** `board:T-12`, as people write it. */
export function linkText({ layout, id, step }: Link): string {
  return `${layout}:${id}${step === undefined ? '' : `/${step}`}`;
}

export function isSameLink(a: Link | undefined, b: Link | undefined): boolean {
  return a !== undefined && b !== undefined && linkText(a) === linkText(b);
}
