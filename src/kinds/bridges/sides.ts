import { createHash } from 'node:crypto';
import { type Link, linkText } from '../../task/link.ts';
import type { Task } from '../../task/schema.ts';
import { packetIdPattern } from '../packet/format/name.ts';

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

/** The packet that does a step. Always the same: who comes after a crash finds what was begun. */
export function packetFor(link: Link & { step: string }): string {
  const name = `${link.id}.${link.step}`;
  if (packetIdPattern.test(name)) return name;
  return `p-${createHash('sha256').update(linkText(link)).digest('hex').slice(0, 32)}`;
}

/** The packets that do steps of a task. */
function packetsOf(layout: 'queue' | 'task', { id, run }: Pick<Task, 'id' | 'run'>): Link[] {
  const steps = run?.steps.filter(({ sub }) => sub) ?? [];
  return steps.map((step) => ({ layout: 'packet', id: packetFor({ layout, id, step: step.id }) }));
}
