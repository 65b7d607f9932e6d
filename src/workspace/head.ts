import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DocketError } from '../errors.ts';
import { makeDir, replaceFile } from '../io/files.ts';
import { removeEmptyFolder, renamePath } from '../io/folders.ts';
import { git } from '../io/git.ts';
import { exists } from '../io/links.ts';
import type { Head } from './repositories.ts';

/** A submodule stands where it stood. A repository that was not there is taken out, and kept in our folder. */
export async function putBackHead(folder: string, home: string, was?: Head, is?: Head): Promise<void> {
  const place = path.join(folder, '.git');
  if (was === undefined || was.pointer !== is?.pointer) {
    if (exists(place)) setAside(place, path.join(home, 'undone'));
    if (was === undefined) {
      removeEmptyFolder(folder);
      return;
    }
    if (was.pointer === '')
      throw new DocketError('IO', `the repository in ${folder} is gone`, 'clone it again', { path: folder });
    makeDir(folder);
    replaceFile(place, was.pointer);
  }
  const { ref, commit } = was;
  const run = (...args: string[]) => git(folder, ['-c', 'core.hooksPath=/dev/null', ...args]);
  if (ref !== '') await run('symbolic-ref', 'HEAD', ref);
  if (commit !== '') await run('update-ref', ...(ref === '' ? ['--no-deref'] : []), 'HEAD', commit);
}

/** It may hold commits that nobody else has. */
function setAside(place: string, aside: string): void {
  makeDir(aside);
  renamePath(place, path.join(aside, randomUUID()));
}
