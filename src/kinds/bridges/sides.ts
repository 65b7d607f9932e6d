import { type Link, linkText } from '../../task/link.ts';
import type { Task } from '../../task/schema.ts';
import { packetsOf } from './packet-id.ts';

/** The tasks of other layouts that belong to one, as `board:T-12`. */
export interface Sides {
  /** Its result is that one's. */
  standsFor?: string;
  /** They do its work. */
  doneBy: string[];
}

export function sidesOf(kind: Link['layout'], task: Task): Sides {
  const { standsFor, doneBy } = task;
  const packets = kind === 'queue' || kind === 'task' ? packetsOf(kind, task) : [];
  const all = [...(doneBy ? [{ layout: doneBy.layout, id: doneBy.id }] : []), ...packets];
  return { ...(standsFor && { standsFor: linkText(standsFor) }), doneBy: all.map(linkText) };
}
