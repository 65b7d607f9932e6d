import { isDeepStrictEqual } from 'node:util';
import type { Entry, Fields, Layout, Sheet, Wrong } from '../layout/layout.ts';
import type { Command } from '../task/command.ts';
import type { Task } from '../task/schema.ts';
import { maxLineBytes } from './line.ts';
import { wholeFile } from './mirror.ts';

/** What people did to the mirror since we last wrote it, as commands; and what of it cannot be understood. */
export interface Reconciled {
  edits: { ref: string; line: number; commands: Command[] }[];
  /** Entries we must not write to until somebody mends them. */
  wrongs: Record<string, Wrong>;
  /** Entries that are not as we left them, so that what they say must be compared with the journal again. */
  revisit: string[];
}

/**
 * Three-way: *base* is what we last wrote, *file* is what is there, the journal's tasks are what is true.
 * A key that differs from base and from the journal was changed by a person or another tool. A key that differs
 * from the journal only is one that we have not written yet. So neither a crash before our write nor an edit
 * behind our back is mistaken for the other.
 */
export function reconcile(
  layout: Layout,
  base: Sheet,
  file: Sheet,
  find: (ref: string) => Task | undefined,
): Reconciled {
  const result: Reconciled = { edits: [], wrongs: {}, revisit: [] };
  if (file.wrong) return { ...result, wrongs: { [wholeFile]: file.wrong } };
  const before = new Map(base.entries.map((entry) => [entry.ref, entry]));
  const present = new Set<string>();
  for (const entry of file.entries) {
    const { ref, line } = entry;
    present.add(ref);
    const was = before.get(ref);
    if (was?.text === entry.text) continue;
    result.revisit.push(ref);
    const outcome = understand(layout, entry, was, find(ref));
    if (!Array.isArray(outcome)) result.wrongs[ref] = outcome;
    else if (outcome.length > 0) result.edits.push({ ref, line, commands: outcome });
  }
  const { wrongs } = result;
  const stranger = file.entries.find(
    ({ ref }) => Object.hasOwn(wrongs, ref) && !before.has(ref) && !find(ref),
  );
  for (const { ref, line } of base.entries) {
    if (present.has(ref)) continue;
    if (stranger) {
      result.wrongs[ref] = perhaps(ref, stranger);
      continue;
    }
    result.revisit.push(ref);
    const commands = takenOut(find(ref));
    if (commands.length > 0) result.edits.push({ ref, line, commands });
  }
  return result;
}

/** An entry is gone and there is one that nobody can read: perhaps its name was hurt, and it is not gone at all. */
function perhaps(ref: string, { line }: Entry): Wrong {
  const message = `the entry "${ref}" is gone, unless it is the one in line ${line}, which cannot be read`;
  return { message, fix: `mend or delete the entry in line ${line}`, line, column: 1 };
}

function understand(
  layout: Layout,
  entry: Entry,
  was: Entry | undefined,
  task: Task | undefined,
): Command[] | Wrong {
  if (entry.text.length > maxLineBytes) return tooLong(entry);
  const parsed = layout.parse(entry);
  if ('wrong' in parsed) return parsed.wrong;
  if (task === undefined) {
    const adopted = layout.adopt(parsed.fields, entry.ref);
    return 'commands' in adopted ? adopted.commands : at(entry, adopted);
  }
  if (task.removedAt !== undefined) return putBack(layout, entry, parsed.fields, task);
  // Without base nobody can tell an edit from a write of ours that a power loss kept while it took base: no edit.
  if (was === undefined) return [];
  const base = layout.parse(was);
  const changed = changedKeys(
    parsed.fields,
    'fields' in base ? base.fields : {},
    layout.describe(task) ?? {},
  );
  if (changed.length === 0) return [];
  const revised = layout.revise(task, parsed.fields, changed);
  return Array.isArray(revised) ? revised : at(entry, revised);
}

/** An entry that was taken out and is there again: the same task, unless it says that it was made at another time. */
function putBack(
  layout: Layout,
  entry: Entry,
  fields: Fields,
  { removedAt: _, ...task }: Task,
): Command[] | Wrong {
  const restore: Command = {
    type: 'restore',
    id: task.id,
    by: 'file',
    reason: 'its entry was put back into the file',
  };
  const says = layout.describe(task) ?? {};
  const revised = layout.revise(task, fields, changedKeys(fields, {}, says));
  if (Array.isArray(revised)) return [restore, ...revised];
  const adopted = layout.adopt(fields, entry.ref);
  return 'commands' in adopted ? adopted.commands : at(entry, adopted);
}

function changedKeys(file: Fields, base: Fields, journal: Fields): string[] {
  const keys = new Set([...Object.keys(file), ...Object.keys(base)]);
  return [...keys].filter(
    (key) => !isDeepStrictEqual(file[key], base[key]) && !isDeepStrictEqual(file[key], journal[key]),
  );
}

/** Work that is under way is not stopped by deleting a line: its entry comes back. */
function takenOut(task: Task | undefined): Command[] {
  if (task === undefined || task.removedAt !== undefined) return [];
  if (task.status === 'running' || task.status === 'review') return [];
  const about = { id: task.id, by: 'file', reason: 'its entry was taken out of the file' };
  const remove: Command = { type: 'remove', ...about };
  const waiting = task.status === 'queued' || task.status === 'blocked';
  return waiting ? [{ type: 'cancel', ...about }, remove] : [remove];
}

/** Not even parsed: that takes many times its length in memory, and no journal line would hold it. */
function tooLong({ text, line }: Entry): Wrong {
  const message = `the entry is ${text.length} characters long; ${maxLineBytes} is the most that docket takes`;
  return { message, fix: 'move the text into a file of its own and name that', line, column: 1 };
}

function at(entry: Entry, wrong: Wrong): Wrong {
  return wrong.line > 0 ? wrong : { ...wrong, line: entry.line, column: 1 };
}
