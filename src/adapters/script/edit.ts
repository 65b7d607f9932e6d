import path from 'node:path';
import { DocketError } from '../../errors.ts';
import { makeDir, readBytes, removeFile, replaceFile } from '../../io/files.ts';
import { placeInside } from '../../io/inside.ts';
import type { Step } from './scenario.ts';

export type Edit = Extract<Step, { edit: unknown }>['edit'];
export type Change = 'add' | 'update' | 'delete';

/** One edit of a file of the work tree. Throws where the file is elsewhere or not as the scenario thinks. */
export function performEdit(edit: Edit, root: string, fill: (text: string) => string): Change {
  const file = placeInside(root, edit.path);
  const before = readBytes(file)?.toString('utf8');
  if ('delete' in edit) {
    if (before === undefined) throw missing(edit.path);
    removeFile(file);
    return 'delete';
  }
  makeDir(path.dirname(file));
  replaceFile(file, contentAfter(edit, before, fill));
  return before === undefined ? 'add' : 'update';
}

function contentAfter(
  edit: Exclude<Edit, { delete: true }>,
  before: string | undefined,
  fill: (text: string) => string,
): string {
  if ('write' in edit) return fill(edit.write);
  if ('append' in edit) return `${before ?? ''}${fill(edit.append)}`;
  if (before === undefined) throw missing(edit.path);
  if (!before.includes(edit.replace)) {
    throw new DocketError(
      'NOT_FOUND',
      `${edit.path} does not hold ${JSON.stringify(edit.replace)}`,
      'mend the scenario',
    );
  }
  const replacement = fill(edit.with);
  return before.replace(edit.replace, () => replacement);
}

function missing(name: string): DocketError {
  return new DocketError('NOT_FOUND', `there is no file ${name}`, 'mend the scenario', { path: name });
}
