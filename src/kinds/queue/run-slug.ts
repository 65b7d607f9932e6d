import path from 'node:path';
import { readTextFile } from '../../io/text-file.ts';
import type { Task } from '../../task/schema.ts';
import { notedOf } from './format/noted.ts';
import { ownOf } from './format/record.ts';
import { slugify } from './format/slug.ts';
import { wishesOf } from './format/wishes.ts';

const longestMeta = 1024 * 1024;

/** The folder of a task's run: its own folder's name, unless another task's run has it. The end of the id is unique. */
export function runSlugFor(task: Task, root: string): string {
  const { runSlug } = notedOf(task);
  if (runSlug !== undefined && isSlug(runSlug)) return runSlug;
  const { taskDir, slug } = wishesOf(task);
  const wanted = taskDir === undefined ? undefined : path.posix.basename(taskDir);
  if (wanted !== undefined && isFree(wanted, task, root)) return wanted;
  return `${slugify(slug ?? ownOf(task).name)}-${task.id.slice(-7).toLowerCase()}`;
}

/** It was read from a journal that others can write to, and becomes a folder's name. */
function isSlug(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,200}$/.test(text);
}

function isFree(slug: string, { id }: Task, root: string): boolean {
  const meta = readTextFile(path.join(root, '.takt', 'runs', slug, 'meta.json'), longestMeta);
  return meta === undefined || meta.includes(JSON.stringify(id));
}
