import { isDeepStrictEqual } from 'node:util';
import type { Entry, Fields, IdOf, MirrorLayout, Sheet, Wrong } from '../layout/layout.ts';
import type { Command } from '../task/command.ts';
import type { Task } from '../task/schema.ts';
import { inOrder } from './in-order.ts';
import { maxLineBytes } from './line.ts';
import { wholeFile } from './mirror.ts';

/** What people did to the mirror since we last wrote it, as commands; and what of it cannot be understood. */
export interface Reconciled {
  edits: { ref: string; line: number; commands: Command[] }[];
  /** Entries we must not write to until somebody mends them. */
  wrongs: Record<string, Wrong>;
  /** Entries that are not as we left them, so that what they say must be compared with the journal again. */
  revisit: string[];
  /** Something in the file is of the version that a sleeping tool had read. */
  outdated: boolean;
}

/** Where tasks are found: by what the mirror calls them, and by their ids. */
interface Known {
  find: (ref: string) => Task | undefined;
  get?: (id: string) => Task | undefined;
  /** What a tool that slept inside the lock had read: what it writes from there is nobody's edit. */
  overtaken?: Sheet | undefined;
}

/**
 * Three-way: *base* is what we last wrote, *file* is what is there, the journal's tasks are what is true.
 * A key that differs from base and from the journal was changed by a person or another tool. A key that differs
 * from the journal only is one that we have not written yet. So neither a crash before our write nor an edit
 * behind our back is mistaken for the other.
 */
export function reconcile(layout: MirrorLayout, base: Sheet, file: Sheet, known: Known): Reconciled {
  const { find, overtaken } = known;
  const result: Reconciled = { edits: [], wrongs: {}, revisit: [], outdated: false };
  if (file.wrong) return { ...result, wrongs: { [wholeFile]: file.wrong } };
  const before = new Map(base.entries.map((entry) => [entry.ref, entry]));
  const slept = overtaken && new Map(overtaken.entries.map((entry) => [entry.ref, entry]));
  const about: About = { layout, file, idOf: idsIn(layout, file, known), slept };
  const present = new Set<string>();
  for (const entry of file.entries) {
    const { ref, line } = entry;
    present.add(ref);
    const was = before.get(ref);
    if (was?.text === entry.text) continue;
    result.revisit.push(ref);
    const outcome = understand(about, entry, was, find(ref));
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
    if (slept && !slept.has(ref)) {
      about.outdated = true;
      continue;
    }
    const commands = takenOut(find(ref));
    if (commands.length > 0) result.edits.push({ ref, line, commands });
  }
  return { ...result, edits: inOrder(result.edits), outdated: about.outdated ?? false };
}

/** What a ref, or an id, stands for: a task, or an entry of this file that will be one. */
function idsIn(layout: MirrorLayout, file: Sheet, { find, get }: Known): IdOf {
  let entries: Map<string, Entry> | undefined;
  return (ref) => {
    const task = find(ref) ?? get?.(ref);
    if (task && task.removedAt === undefined) return task.id;
    const entry = (entries ??= new Map(file.entries.map((one) => [one.ref, one]))).get(ref);
    const parsed = entry && layout.parse(entry);
    // Only its id is wanted, so what it needs in turn is not asked.
    const made = parsed && 'fields' in parsed ? layout.adopt(parsed.fields, ref, () => ref) : undefined;
    return made && 'id' in made ? made.id : undefined;
  };
}

/** An entry is gone and there is one that nobody can read: perhaps its name was hurt, and it is not gone at all. */
function perhaps(ref: string, { line }: Entry): Wrong {
  const message = `the entry "${ref}" is gone, unless it is the one in line ${line}, which cannot be read`;
  return { message, fix: `mend or delete the entry in line ${line}`, line, column: 1 };
}

interface About {
  layout: MirrorLayout;
  file: Sheet;
  idOf: IdOf;
  slept: ReadonlyMap<string, Entry> | undefined;
  outdated?: boolean;
}

function understand(
  about: About,
  entry: Entry,
  was: Entry | undefined,
  task: Task | undefined,
): Command[] | Wrong {
  const { layout, file, idOf } = about;
  if (entry.text.length > maxLineBytes) return tooLong(entry);
  const parsed = layout.parse(entry);
  if ('wrong' in parsed) return parsed.wrong;
  if (task === undefined) {
    const adopted = layout.adopt(parsed.fields, entry.ref, idOf);
    return 'commands' in adopted ? adopted.commands : at(entry, adopted);
  }
  const says = (about: Task): Fields => layout.describe(about, file) ?? {};
  const { removedAt, archivedAt, ...listed } = task;
  if (removedAt !== undefined || (archivedAt !== undefined && was === undefined)) {
    const revised = layout.revise(listed, parsed.fields, changedKeys(parsed.fields, {}, says(listed)), idOf);
    return putBack(layout, entry, parsed.fields, task, revised, idOf);
  }
  // Without base nobody can tell an edit from a write of ours that a power loss kept while it took base: no edit.
  if (was === undefined) return [];
  const base = layout.parse(was);
  const different = changedKeys(parsed.fields, 'fields' in base ? base.fields : {}, says(task));
  const changed = sinceSleep(about, entry.ref, parsed.fields, different);
  if (changed.length === 0) return [];
  const revised = layout.revise(task, parsed.fields, changed, idOf);
  return Array.isArray(revised) ? revised : at(entry, revised);
}

/** An entry that was taken out and is there again: the same task, unless it says that it was made at another time. */
function putBack(
  layout: MirrorLayout,
  entry: Entry,
  fields: Fields,
  { id, removedAt }: Task,
  revised: Command[] | Wrong,
  idOf: IdOf,
): Command[] | Wrong {
  if (!Array.isArray(revised)) {
    const adopted = layout.adopt(fields, entry.ref, idOf);
    return 'commands' in adopted ? adopted.commands : at(entry, adopted);
  }
  const reason = 'its entry was put back into the file';
  if (removedAt !== undefined) return [{ type: 'restore', id, by: 'file', reason }, ...revised];
  const again = revised.some(({ type }) => type === 'reopen' || type === 'requeue');
  return again ? revised : inArchive(entry);
}

/** Only a task that goes on comes back from the archive: its text here would be a second one of what stands there. */
function inArchive(entry: Entry): Wrong {
  const message = `the task "${entry.ref}" was archived`;
  return { message, fix: 'set its status to pending, or take the entry out', line: entry.line, column: 1 };
}

/** Without the keys that say what they said before a tool fell asleep: it did not change them. */
function sinceSleep(about: About, ref: string, fields: Fields, changed: string[]): string[] {
  const entry = about.slept?.get(ref);
  const before = entry && about.layout.parse(entry);
  if (!before || 'wrong' in before) return changed;
  const edited = changed.filter((key) => !isDeepStrictEqual(fields[key], before.fields[key]));
  about.outdated ||= edited.length < changed.length;
  return edited;
}

function changedKeys(file: Fields, base: Fields, journal: Fields): string[] {
  const keys = new Set([...Object.keys(file), ...Object.keys(base)]);
  return [...keys].filter(
    (key) => !isDeepStrictEqual(file[key], base[key]) && !isDeepStrictEqual(file[key], journal[key]),
  );
}

/** Work that is under way is not stopped by deleting a line: its entry comes back. */
function takenOut(task: Task | undefined): Command[] {
  if (task === undefined || task.removedAt !== undefined || task.archivedAt !== undefined) return [];
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
