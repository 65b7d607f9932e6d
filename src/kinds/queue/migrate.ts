import path from 'node:path';
import { messageOf } from '../../errors.ts';
import { createFile } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import { makeOwnFolder } from '../../io/own-folder.ts';
import { readTextFile } from '../../io/text-file.ts';
import { applyNow } from '../../store/claim.ts';
import type { Store } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import type { MigratedTask } from './files-api.ts';
import { ownOf, toExtras } from './format/record.ts';
import { slugify, taskDirFor, uniqueSlug } from './format/slug.ts';

const longestText = 16 * 1024 * 1024;

/** The records whose text is not in a folder of their own, and where it would go. */
export function migrationPlan(tasks: readonly Task[]): MigratedTask[] {
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
export async function migrateTasks(store: Store, root: string): Promise<MigratedTask[]> {
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
