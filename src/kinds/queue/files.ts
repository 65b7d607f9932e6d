import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DocketError, messageOf } from '../../errors.ts';
import { createFile, readBytes, replaceFile } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Entry, Sheet } from '../../layout/layout.ts';
import { same } from '../../schema/json.ts';
import type { Wrong } from '../../schema/problem.ts';
import { applyNow } from '../../store/claim.ts';
import type { AnsweredRemoval, FileStore, Store } from '../../store/store.ts';
import type { StoreView } from '../../store/view.ts';
import type { Fields } from '../../task/json.ts';
import type { Task } from '../../task/schema.ts';
import type { Status } from '../../task/status.ts';
import { indentOf, isFlow, join, render } from './format/join.ts';
import { queueLayout as layout } from './format/layout.ts';
import { refOf, slugify, taskDirFor, uniqueSlug } from './format/names.ts';
import { parse } from './format/read.ts';
import { ownOf, toExtras } from './format/record.ts';
import type { QueueProject } from './kind.ts';

interface FilePlaces extends Pick<QueueProject, 'root' | 'dir' | 'clock'> {
  /** Without a lock and without writing. */
  read: () => Promise<StoreView>;
  open: () => Promise<FileStore>;
}

export function queueFiles({ root, dir, clock, read, open }: FilePlaces): QueueFiles {
  return {
    async archive(input, dryRun) {
      if (dryRun) return archivePlan((await read()).tasks, input, clock.now());
      return archiveTasks(await open(), input, { root, dir });
    },
    async migrate(apply) {
      return apply ? migrateTasks(await open(), root) : migrationPlan((await read()).tasks);
    },
    async answerRemovals(confirm, by) {
      return (await open()).answerRemovals(confirm, by);
    },
  };
}

/** What is done with the queue's files as a whole. */
export interface QueueFiles {
  /** Moves finished records to `.takt/archive/`; a dry run only says which. */
  archive(input: ArchiveInput, dryRun: boolean): Promise<ArchivedTask[]>;
  /** Moves texts that stand in records, or in files of any place, to folders of their tasks; without `apply` only says which. */
  migrate(apply: boolean): Promise<MigratedTask[]>;
  /** Removes the tasks whose records were missing in the file, or keeps them. */
  answerRemovals(confirm: boolean, by: string): Promise<AnsweredRemoval[]>;
}

export interface ArchiveInput {
  /** Since their end. */
  olderThanMs?: number;
  /** Of done, failed and canceled; absent: all three. */
  status?: readonly Status[];
}

export interface ArchivedTask {
  id: string;
  name: string;
  status: Status;
  finishedAt: string;
  /** From the root. */
  file: string;
}

export interface MigratedTask {
  id: string;
  name: string;
  from: 'content' | 'content_file';
  taskDir: string;
  /** Why it stays as it is. */
  skipped?: string;
}

const archivable: readonly Status[] = ['done', 'failed', 'canceled'];

/** Finished tasks that are old enough, and the file each belongs to: that of the month in which it ended. */
function archivePlan(tasks: readonly Task[], input: ArchiveInput, now: number): ArchivedTask[] {
  const wanted = (input.status ?? archivable).filter((status) => archivable.includes(status));
  return tasks.flatMap((task) => {
    if (!('finishedAt' in task) || !wanted.includes(task.status)) return [];
    if (task.archivedAt !== undefined || task.removedAt !== undefined) return [];
    const ended = Date.parse(task.finishedAt);
    if (input.olderThanMs !== undefined && now - ended < input.olderThanMs) return [];
    const file = `.takt/archive/${new Date(ended).toISOString().slice(0, 7)}.yaml`;
    return [{ id: task.id, name: ownOf(task).name, status: task.status, finishedAt: task.finishedAt, file }];
  });
}

/**
 * Moves the records of finished tasks to the archive, in one hold of the lock: first into its file, flushed, then as
 * events, from which tasks.yaml follows. Whoever dies between leaves a record in both places, and the next archiving,
 * which knows it there by its name and time, does not write it again.
 */
function archiveTasks(
  store: Store,
  input: ArchiveInput,
  { root, dir }: { root: string; dir: string },
): Promise<ArchivedTask[]> {
  return store.exclusive([], (ledger, commit, now) => {
    const tasks = new Map(ledger.list({ status: archivable }).map((task) => [task.id, task]));
    const records = recordsIn(path.join(root, layout.mirror), path.join(dir, 'base'));
    const due = archivePlan([...tasks.values()], input, Date.parse(now));
    const moved = new Map<string, Archived[]>();
    const at = due.filter(({ id, file }) => {
      const record = records(tasks.get(id) as Task);
      if (record) moved.set(file, [...(moved.get(file) ?? []), record]);
      return record !== undefined;
    });
    for (const [file, found] of moved) writeArchive(root, file, found);
    return at.filter(
      ({ id }) => applyNow(ledger, [{ type: 'archive', id, by: 'cli' }], now, commit) === undefined,
    );
  });
}

/** A task's record as its file has it. Undefined: somebody is editing it this moment, or it is broken; then it stays. */
function recordsIn(file: string, base: string): (task: Task) => Archived | undefined {
  const sheet = sheetOf(file);
  const entries = new Map(sheet.entries.map((entry) => [entry.ref, entry]));
  const written = new Map(sheetOf(base).entries.map((entry) => [entry.ref, entry.text]));
  return (task) => {
    const fields = { ...layout.describe(task, sheet) };
    const entry = entries.get(layout.ref(task));
    if (!entry || written.get(entry.ref) === entry.text) return { fields, entry };
    const parsed = layout.parse(entry);
    return 'fields' in parsed && isDeepStrictEqual(parsed.fields, fields) ? { fields, entry } : undefined;
  };
}

function writeArchive(root: string, name: string, records: readonly Archived[]): void {
  const parts = name.split('/');
  const base = parts.pop() as string;
  const file = path.join(makeOwnFolder(root, ...parts), base);
  const before = sheetOf(file);
  const after = addToArchive(before, records);
  if (after !== layout.join(before)) replaceFile(file, after, { sync: true });
}

function sheetOf(file: string): Sheet {
  const sheet = layout.split(readBytes(file)?.toString('utf8'));
  if (sheet.wrong) throw wrong(file, sheet.wrong);
  return sheet;
}

function wrong(file: string, { message, fix, line, column }: Wrong): DocketError {
  return new DocketError('BAD_FILE', `${file}:${line}:${column}: ${message}`, fix, { path: file });
}

/** What a task's record says, and the entry that says it, where there is one. */
interface Archived {
  fields: Fields;
  entry: Entry | undefined;
}

/**
 * A file of the archive with these records in it: as they are written in tasks.yaml, where the two files' indentation
 * is the same. A record is known by its name and the time at which it was made; one that is there already is replaced.
 */
function addToArchive(sheet: Sheet, records: readonly Archived[]): string {
  const entries: Entry[] = [...sheet.entries];
  const places = new Map(entries.map((entry, at) => [entry.ref, at]));
  for (const { fields, entry } of records) {
    const text = entry && fits(entry, fields, entries) ? entry.text : render(fields, { ...sheet, entries });
    const { ref, at } = placeOf(fields, places, entries);
    entries[at] = { ref, text, line: 0 };
    places.set(ref, at);
  }
  return join({ ...sheet, entries });
}

/** Its text means the same alone (no anchors of others), and stands as far in as the others do. */
function fits({ text, file }: Entry, fields: Fields, entries: readonly Entry[]): boolean {
  if (isFlow({ text }) || !text.endsWith('\n')) return false;
  const indent = indentOf(entries[0]?.text);
  if (indent !== undefined && indent !== indentOf(text)) return false;
  const parsed = file && parse({ ref: '', text, line: 1 });
  return !parsed || ('fields' in parsed && same({ ...parsed.fields }, { ...fields }));
}

/** Where a record is, or goes. */
function placeOf(
  { name, created_at: made }: Fields,
  places: ReadonlyMap<string, number>,
  entries: readonly Entry[],
): { ref: string; at: number } {
  for (let nth = 1; ; nth++) {
    const ref = refOf(name as string, nth);
    const at = places.get(ref);
    const entry = at === undefined ? undefined : entries[at];
    if (at === undefined || entry === undefined) return { ref, at: entries.length };
    const parsed = parse(entry);
    if ('fields' in parsed && parsed.fields['created_at'] === made) return { ref, at };
  }
}

const longestText = 16 * 1024 * 1024;

/** The records whose text is not in a folder of their own, and where it would go. */
function migrationPlan(tasks: readonly Task[]): MigratedTask[] {
  return tasks.flatMap((task) => {
    const { name, kept } = ownOf(task);
    if (task.archivedAt !== undefined || task.removedAt !== undefined) return [];
    if (kept['task_dir'] !== undefined) return [];
    const from = kept['content_file'] === undefined ? 'content' : 'content_file';
    const taskDir = taskDirFor(uniqueSlug(slugify(name), task.id), task.createdAt);
    const busy = task.status === 'running' || task.status === 'review';
    return [{ id: task.id, name, from, taskDir, ...(busy && { skipped: 'it is running' }) }];
  });
}

/**
 * The text first, then the record that names it: who dies between leaves a folder that the next try finds, with the text
 * that it would write. What a person has made of it meanwhile is not overwritten.
 */
async function migrateTasks(store: Store, root: string): Promise<MigratedTask[]> {
  const plan = migrationPlan(await store.list());
  return Promise.all(
    plan.map(async (one) => {
      if (one.skipped !== undefined) return one;
      const skipped = await migrate(store, root, one).catch(messageOf);
      return skipped === undefined ? one : { ...one, skipped };
    }),
  );
}

/** Why it stays as it is; undefined: it was moved. */
async function migrate(store: Store, root: string, one: MigratedTask): Promise<string | undefined> {
  const task = await store.get(one.id);
  if (!task) return 'it is gone';
  const text = await textOf(store, root, task);
  if (text === undefined) return 'its text is missing';
  return store.exclusive([], (ledger, commit, now) => {
    const current = ledger.get(one.id);
    if (current?.rev !== task.rev) return 'it has changed this moment; try again';
    const folder = makeOwnFolder(root, ...one.taskDir.split('/'));
    createFile(path.join(folder, 'order.md'), text, { sync: true });
    const own = ownOf(current);
    const { content_file: _, ...kept } = own.kept;
    const queue = toExtras({ ...own, kept: { ...kept, task_dir: one.taskDir } });
    return applyNow(
      ledger,
      [{ type: 'edit', id: one.id, by: 'cli', set: { extras: { queue } } }],
      now,
      commit,
    );
  });
}

async function textOf(store: Store, root: string, task: Task): Promise<string | undefined> {
  const { content_file: file } = ownOf(task).kept;
  if (typeof file === 'string') return readTextFile(placeInside(root, file), longestText);
  const { body } = task.spec;
  if (typeof body === 'string') return body === '' ? task.title : body;
  const bytes = await store.blobs.get(body.blob);
  return bytes && Buffer.from(bytes).toString('utf8');
}
