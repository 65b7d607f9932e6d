import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { copyUnlessThere } from '../io/copies.ts';
import { removeFile } from '../io/files.ts';
import { git } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { harmless, notWithin } from './commit-status.ts';
import { allBut, gitlinksIn } from './gitlinks.ts';
import { gitDirOf } from './prepare-place.ts';

type Form = 'patch' | 'stat' | 'names';

const forms: Record<Form, string> = { patch: '--patch', stat: '--stat', names: '--name-only' };
const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames'];
/** More names than this are no command line; then all of it is told. */
const mostPaths = 2000;

export function commitDiff(
  root: string,
  [from, to]: readonly [string, string],
  form: Form,
  only: readonly string[] = [],
): Promise<string> {
  const paths = only.length <= mostPaths ? only.map((name) => `:(top,literal)${name}`) : [];
  return git(root, ['diff', ...plain, forms[form], from, to, '--', ...paths]);
}

/**
 * What a work tree is now against a commit, new files too. They are told to an index of our own: the one that is there
 * may be somebody's work.
 */
export async function workTreeDiff(
  cwd: string,
  base: string,
  form: Form,
  only?: readonly string[],
): Promise<string> {
  if (only?.length === 0) return '';
  const [dir, config, links] = await Promise.all([gitDirOf(cwd), harmless(cwd), gitlinksIn(cwd)]);
  const index = path.join(dir, `docket-index-${randomUUID()}`);
  const options = { config, env: { GIT_INDEX_FILE: index }, timeoutMs: 0 };
  const named = only && only.length <= mostPaths ? only.map((name) => `:(top,literal)${name}`) : [':/'];
  const paths = [...named, ':(top,exclude).docket'];
  try {
    if (exists(path.join(dir, 'index'))) copyUnlessThere(path.join(dir, 'index'), index);
    await git(cwd, ['add', '--intent-to-add', ...allBut(links.map((link) => link.path))], options);
    return await git(
      cwd,
      ['diff', ...plain, notWithin, '--ita-visible-in-index', forms[form], base, '--', ...paths],
      options,
    );
  } finally {
    removeFile(index);
    removeFile(`${index}.lock`);
  }
}
