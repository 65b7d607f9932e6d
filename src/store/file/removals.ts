import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';

/**
 * Why a record that is missing in a saved file was put back instead of removed. unknown: the saved file may come from a
 * version that did not have the record. many: more than three, or all, are missing at once. cut: the file ends where the
 * records that are missing began, as after a save that was cut off.
 */
export type HoldReason = 'unknown' | 'many' | 'cut';

/** A removal that waits for a person. */
export interface HeldRemoval {
  id: string;
  at: string;
  why: HoldReason;
}

/** More than these at once are not removed before somebody confirms it. */
export const mostAtOnce = 3;

/** What becomes of records that are missing in a saved file, by ref. */
export function judgeRemovals(missing: {
  /** The records that would be removed; `known`: whoever saved the file knew the record. */
  gone: readonly { ref: string; known: boolean }[];
  /** How many records of the file before are still there. */
  kept: number;
  /** The file is the first part of the file before. */
  isCut: boolean;
}): Map<string, 'remove' | HoldReason> {
  const { gone, kept, isCut } = missing;
  const known = gone.filter((one) => one.known).length;
  const verdict = kept === 0 || known > mostAtOnce ? 'many' : isCut && known > 1 ? 'cut' : 'remove';
  return new Map(gone.map((one) => [one.ref, one.known || kept === 0 ? verdict : 'unknown']));
}

/** Work that is under way is not stopped by deleting a line: its entry comes back. */
export function removalOf(task: Task | undefined, by: string, reason: string): Command[] {
  if (task === undefined || task.removedAt !== undefined || task.archivedAt !== undefined) return [];
  if (task.status === 'running' || task.status === 'review') return [];
  const about = { id: task.id, by, reason };
  const remove: Command = { type: 'remove', ...about };
  const waiting = task.status === 'queued' || task.status === 'blocked';
  return waiting ? [{ type: 'cancel', ...about }, remove] : [remove];
}
