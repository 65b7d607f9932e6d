import { command, fix } from '../../errors/command.ts';
import { someNames } from '../../errors/some-names.ts';
import type { MirrorLayout, Sheet } from '../../layout/layout.ts';
import type { Command } from '../../task/command.ts';
import type { Task } from '../../task/schema.ts';
import { applyNow } from '../claim.ts';
import type { Ledger } from '../ledger.ts';
import type { AnsweredRemoval, Commit, Finding } from '../store.ts';
import { isListed } from '../view.ts';

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
const mostAtOnce = 3;

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

/** Removals that somebody made in the file and that wait for a person's answer. Their tasks are listed as before. */
export class HeldRemovals {
  readonly #layout: MirrorLayout;
  readonly #names = new Map<string, string>();
  #list: readonly HeldRemoval[] = [];

  constructor(layout: MirrorLayout) {
    this.#layout = layout;
  }

  get list(): readonly HeldRemoval[] {
    return this.#list;
  }

  /** Tasks that must not start before the answer. One that the editor may not have known was not meant: it starts. */
  get waiting(): ReadonlySet<string> {
    return new Set(this.#list.flatMap(({ id, why }) => (why === 'unknown' ? [] : [id])));
  }

  /** Of these, the ones whose tasks are still listed: a task that was removed or archived needs no answer. */
  set(held: readonly HeldRemoval[], ledger: Ledger): void {
    const listed = held.flatMap((one) => {
      const task = ledger.get(one.id);
      if (!task || !isListed(task)) return [];
      this.#names.set(one.id, this.#layout.ref(task));
      return [[one.id, one] as const];
    });
    this.#list = [...new Map(listed).values()];
  }

  /** One for each reason, without the tasks of `known`. */
  findings(path: string, known?: ReadonlySet<string>): Finding[] {
    const reasons = new Map<HoldReason, string[]>();
    for (const { id, why } of this.#list) {
      if (known?.has(id)) continue;
      const names = reasons.get(why) ?? [];
      names.push(this.#names.get(id) ?? id);
      reasons.set(why, names);
    }
    return [...reasons].map(([why, names]) => ({
      severity: why === 'unknown' ? 'warning' : 'error',
      path,
      ...heldText(why, names),
      next: ['queue', 'confirm-removals'],
    }));
  }

  answer(
    confirm: boolean,
    by: string,
    { ledger, commit, now }: { ledger: Ledger; commit: Commit; now: string },
  ): AnsweredRemoval[] {
    const answered = this.#list.map(({ id }): AnsweredRemoval => {
      const name = this.#names.get(id) ?? id;
      if (!confirm) return { id, name };
      const commands = removalOf(ledger.get(id), by, 'its removal from the file was confirmed');
      const refused = commands.length === 0 ? 'the task is running' : applyNow(ledger, commands, now, commit);
      return refused === undefined ? { id, name } : { id, name, refused };
    });
    this.set(confirm ? this.#list : [], ledger);
    return answered;
  }
}

/** What a person is told about them; `names` are those of one reason. */
function heldText(why: HoldReason, names: readonly string[]): { message: string; fix: string } {
  const what = names.length === 1 ? 'task' : `${names.length} tasks`;
  const list = someNames(names, 5);
  const them = names.length === 1 ? 'it' : 'them';
  const answers =
    fix`to remove ${them}: ${command`queue confirm-removals`}; to keep ${them}: ${command`queue reject-removals`}`
      .text;
  const [was, does] = names.length === 1 ? ['was', 'does'] : ['were', 'do'];
  if (why === 'unknown')
    return {
      message: `the file was saved without ${what} ${list}, possibly from a copy older than ${them}: ${list} ${was} put back`,
      fix: answers,
    };
  const cause =
    why === 'cut'
      ? 'the saved file ends where they began, as after a save that was cut off'
      : names.length > mostAtOnce
        ? 'more than three records were missing at once'
        : 'no record was left';
  return {
    message: `the file was saved without ${what} ${list}, and ${cause}: ${names.length === 1 ? 'it' : 'they'} ${was} put back and ${does} not start until you decide`,
    fix: answers,
  };
}

/** What an earlier version of the file does not list. An empty one is a save that failed, and says nothing. */
export function missingIn(
  file: Sheet,
  base: Sheet,
  find: (ref: string) => Task | undefined,
  at: string,
): HeldRemoval[] {
  const present = new Set(file.entries.map(({ ref }) => ref));
  if (present.size === 0) return [];
  return base.entries.flatMap(({ ref }): HeldRemoval[] => {
    const task = present.has(ref) ? undefined : find(ref);
    return task && removalOf(task, 'file', '').length > 0 ? [{ id: task.id, at, why: 'unknown' }] : [];
  });
}
