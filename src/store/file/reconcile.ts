import { isDeepStrictEqual } from 'node:util';
import type { Entry, IdOf, MirrorLayout, Sheet } from '../../layout/layout.ts';
import type { Wrong } from '../../schema/problem.ts';
import type { Command } from '../../task/command.ts';
import type { Fields } from '../../task/json.ts';
import type { Task } from '../../task/schema.ts';
import { maxLineBytes } from '../codec.ts';
import { wholeFile } from './cut-sheet.ts';
import { judgeRemovals, removalOf, type HoldReason } from './held-removals.ts';
import { inOrder } from './place-entry.ts';
import type { Origin } from './versions.ts';

/** What people did to the mirror since we last wrote it, as commands; and what of it cannot be understood. */
export interface Reconciled {
  edits: { ref: string; line: number; commands: Command[] }[];
  /** Entries we must not write to until somebody mends them. */
  wrongs: Record<string, Wrong>;
  /** Entries that are not as we left them, so that what they say must be compared with the journal again. */
  revisit: string[];
  /** Entries that call a task done which a docket process was running: the run decides, and the edit is not taken. */
  refusedEnds: Task[];
  /** Something in the file is of the version that a sleeping tool had read. */
  outdated: boolean;
  /** Tasks whose entries are missing, and which are put back until a person decides. */
  held: { id: string; why: HoldReason }[];
  /** Names of tasks that were removed because their entries are missing. */
  removed: string[];
  /** What is worth knowing about entries that are new. */
  remarks: Wrong[];
  /** Entries that are as they were in an older version: their task has another state by now, and keeps it. */
  stale: string[];
}

/** Where tasks are found: by what the mirror calls them, and by their ids. */
interface Known {
  find: (ref: string) => Task | undefined;
  get?: (id: string) => Task | undefined;
  /** Does a live docket process run it? */
  isLive?: (task: Task) => boolean;
  /** What a tool that slept inside the lock had read: what it writes from there is nobody's edit. */
  overtaken?: Sheet | undefined;
  /** The version that the file was made from. Absent: base, and every missing entry was taken out. */
  origin?: Origin | undefined;
}

/**
 * Three-way: *base* is what we last wrote (`origin`: what the file was made from, if that is an older version of ours),
 * *file* is what is there, the journal's tasks are what is true.
 * A key that differs from base and from the journal was changed by a person or another tool. A key that differs
 * from the journal only is one that we have not written yet. So neither a crash before our write nor an edit
 * behind our back is mistaken for the other.
 */
export function reconcile(layout: MirrorLayout, base: Sheet, file: Sheet, known: Known): Reconciled {
  const { find, overtaken, origin, isLive = () => false } = known;
  const result: Reconciled = {
    edits: [],
    wrongs: {},
    revisit: [],
    refusedEnds: [],
    outdated: false,
    held: [],
    removed: [],
    stale: [],
    remarks: [],
  };
  if (file.wrong) return { ...result, wrongs: { [wholeFile]: file.wrong } };
  const latest = byRef(base);
  const before = origin && origin.sheet !== base ? byRef(origin.sheet) : latest;
  const slept = overtaken && byRef(overtaken);
  const { refusedEnds, remarks } = result;
  const idOf = idsIn(layout, file, known);
  const about: About = { layout, file, idOf, slept, isLive, refusedEnds, remarks };
  const present = new Set<string>();
  for (const entry of file.entries) {
    const { ref, line } = entry;
    present.add(ref);
    const was = before.get(ref);
    if (latest.get(ref)?.text === entry.text && was?.text === entry.text) continue;
    result.revisit.push(ref);
    const isArchived = !latest.has(ref) && find(ref)?.archivedAt !== undefined;
    if (was?.text === entry.text && !isArchived) {
      // As it was in the version that they had open: nobody changed it.
      if (isStale(layout, entry, latest.get(ref))) result.stale.push(ref);
      continue;
    }
    const outcome = understand(about, entry, isArchived ? undefined : was, find(ref));
    if (!Array.isArray(outcome)) result.wrongs[ref] = outcome;
    else if (outcome.length > 0) result.edits.push({ ref, line, commands: outcome });
  }
  const { wrongs } = result;
  const stranger = file.entries.find(
    ({ ref }) => Object.hasOwn(wrongs, ref) && !before.has(ref) && !find(ref),
  );
  const gone: Gone[] = [];
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
    const task = find(ref);
    const commands = removalOf(task, 'file', 'its entry was taken out of the file');
    if (task && commands.length > 0) gone.push({ ref, line, task, commands });
  }
  takeOut(result, gone, { layout, base, file, present, origin });
  return { ...result, edits: inOrder(result.edits), outdated: about.outdated ?? false };
}

interface Gone {
  ref: string;
  line: number;
  task: Task;
  commands: Command[];
}

/** Entries that are gone: removed, or held where nobody can be sure that a person meant it. */
function takeOut(
  result: Reconciled,
  gone: readonly Gone[],
  about: Pick<About, 'layout' | 'file'> & {
    base: Sheet;
    present: ReadonlySet<string>;
    origin: Origin | undefined;
  },
): void {
  const { layout, base, file, present, origin } = about;
  const knew = ({ ref, task }: Gone): boolean =>
    !origin || (origin.knew(ref) && (!origin.isOpenEnded || task.createdBy === 'file'));
  const verdicts =
    origin &&
    judgeRemovals({
      gone: gone.map((one) => ({ ref: one.ref, known: knew(one) })),
      kept: base.entries.filter(({ ref }) => present.has(ref)).length,
      isCut: gone.length > 0 && layout.join(base).startsWith(layout.join(file)),
    });
  for (const { ref, line, task, commands } of gone) {
    const verdict = verdicts?.get(ref) ?? 'remove';
    if (verdict !== 'remove') {
      result.held.push({ id: task.id, why: verdict });
      continue;
    }
    result.edits.push({ ref, line, commands });
    result.removed.push(ref);
  }
}

/** Does it say another status than the newest version? */
function isStale(layout: MirrorLayout, entry: Entry, latest: Entry | undefined): boolean {
  const [then, now] = [entry, latest].map((one) => one && layout.parse(one));
  const [key] = layout.stateKeys ?? [];
  if (key === undefined || !then || !now || !('fields' in then) || !('fields' in now)) return false;
  return then.fields[key] !== now.fields[key];
}

function byRef({ entries }: Sheet): Map<string, Entry> {
  return new Map(entries.map((entry) => [entry.ref, entry]));
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
  isLive: (task: Task) => boolean;
  refusedEnds: Task[];
  remarks: Wrong[];
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
    about.remarks.push(...(layout.remarks?.(entry) ?? []));
    const adopted = layout.adopt(parsed.fields, entry.ref, idOf);
    return 'commands' in adopted ? adopted.commands : at(entry, adopted);
  }
  const says = (about: Task): Fields => layout.describe(about, file) ?? {};
  const { removedAt, archivedAt, ...listed } = task;
  if (removedAt !== undefined || (archivedAt !== undefined && was === undefined)) {
    const again = layout.adoptAgain?.(parsed.fields, entry.ref, removedAt ?? archivedAt ?? '', idOf);
    if (again) return 'commands' in again ? again.commands : at(entry, again);
    const revised = layout.revise(listed, parsed.fields, changedKeys(parsed.fields, {}, says(listed)), idOf);
    return putBack(layout, entry, parsed.fields, task, revised, idOf);
  }
  // Without base nobody can tell an edit from a write of ours that a power loss kept while it took base: no edit.
  if (was === undefined) return [];
  const parsedBase = layout.parse(was);
  const base = 'fields' in parsedBase ? parsedBase.fields : {};
  const different = changedKeys(parsed.fields, base, says(task));
  const changed = sinceSleep(about, entry.ref, parsed.fields, different);
  if (changed.length === 0) return [];
  const revised = layout.revise(task, parsed.fields, changed, idOf);
  if (!Array.isArray(revised)) return at(entry, revised);
  if (!revised.some(isPass) || !(about.isLive(task) || hasEndedSince(layout, task, base, says(task))))
    return revised;
  about.refusedEnds.push(task);
  const others = changed.filter((key) => !layout.stateKeys?.includes(key));
  const rest = others.length === 0 ? [] : layout.revise(task, parsed.fields, others, idOf);
  return Array.isArray(rest) ? rest : at(entry, rest);
}

function isPass(command: Command): boolean {
  return command.type === 'settle' && command.verdict.kind === 'pass';
}

/** The run has ended since the version that was edited: whoever called the task done had not seen how it ended. */
function hasEndedSince(layout: MirrorLayout, task: Task, base: Fields, now: Fields): boolean {
  if (task.status !== 'failed' && task.status !== 'blocked') return false;
  return layout.stateKeys?.some((key) => !isDeepStrictEqual(base[key], now[key])) ?? false;
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

/** Not even parsed: that takes many times its length in memory, and no journal line would hold it. */
function tooLong({ text, line }: Entry): Wrong {
  const message = `the entry is ${text.length} characters long; ${maxLineBytes} is the most that docket takes`;
  return { message, fix: 'move the text into a file of its own and name that', line, column: 1 };
}

function at(entry: Entry, wrong: Wrong): Wrong {
  return wrong.line > 0 ? wrong : { ...wrong, line: entry.line, column: 1 };
}
