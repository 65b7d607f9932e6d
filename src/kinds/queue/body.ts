import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { placeInside } from '../../io/inside.ts';
import { readTextFile } from '../../io/text-file.ts';
import type { Blobs } from '../../store/store.ts';
import type { Task } from '../../task/schema.ts';
import { ownOf } from './format/record.ts';

const longestText = 16 * 1024 * 1024;

/** The task's words as they are now: people edit order.md, so the file is asked before the journal. */
export async function bodyOf(
  root: string,
  store: { blobs: Pick<Blobs, 'get'> },
  task: Task,
): Promise<string> {
  const { task_dir: folder, content_file: file } = ownOf(task)?.kept ?? {};
  const name =
    typeof folder === 'string' ? path.join(folder, 'order.md') : typeof file === 'string' ? file : undefined;
  const said = name === undefined ? undefined : readInside(root, name);
  if (said !== undefined) return said;
  const { body } = task.spec;
  if (body === '' && name !== undefined)
    throw new DocketError('NOT_FOUND', `the text of this task is missing: there is no ${name}`, 'write it', {
      path: name,
    });
  if (typeof body === 'string') return body;
  const bytes = await store.blobs.get(body.blob);
  if (bytes) return Buffer.from(bytes).toString('utf8');
  throw new DocketError(
    'BAD_FILE',
    `the text of task ${task.id} is missing`,
    'restore .docket from a backup',
    {
      id: task.id,
    },
  );
}

/** The name comes from a file that anybody may write: nothing outside the root is read, also not by a link. */
function readInside(root: string, name: string): string | undefined {
  return readTextFile(placeInside(root, name), longestText);
}
