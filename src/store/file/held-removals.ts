import { someNames } from '../../errors/some-names.ts';
import type { MirrorLayout, Sheet } from '../../layout/layout.ts';
import type { Task } from '../../task/schema.ts';
import { applyNow } from '../claim.ts';
import type { Ledger } from '../ledger.ts';
import { isListed } from '../listed.ts';
import type { AnsweredRemoval, Commit, Finding } from '../store.ts';
import { mostAtOnce, removalOf, type HeldRemoval, type HoldReason } from './removals.ts';

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
  const answers = `to remove ${them}: docket queue confirm-removals; to keep ${them}: docket queue reject-removals`;
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
