import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DocketError } from '../../errors.ts';
import { readBytes, replaceFile } from '../../io/files.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import type { Sheet } from '../../layout/layout.ts';
import type { Wrong } from '../../schema/problem.ts';
import { applyNow } from '../../store/claim.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import type { Status } from '../../task/status.ts';
import type { ArchivedTask, ArchiveInput } from './files-api.ts';
import { addToArchive, type Archived } from './format/archive-file.ts';
import { queueLayout as layout } from './format/layout.ts';
import { ownOf } from './format/record.ts';

const archivable: readonly Status[] = ['done', 'failed', 'canceled'];

/** Finished tasks that are old enough, and the file each belongs to: that of the month in which it ended. */
export function archivePlan(tasks: readonly Task[], input: ArchiveInput, now: number): ArchivedTask[] {
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
export function archiveTasks(
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
