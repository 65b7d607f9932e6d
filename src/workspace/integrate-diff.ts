import { git } from '../io/git.ts';
import { notWithin } from './commit-status.ts';
import { allBut, gitlinksIn } from './gitlinks.ts';
import { withOwnIndex } from './hidden-edits.ts';

type Form = 'patch' | 'view' | 'stat' | 'names';

const forms: Record<Form, string> = {
  patch: '--binary',
  view: '--patch',
  stat: '--stat',
  names: '--name-only',
};
/** `git apply` takes it, whatever somebody set for their own eyes. */
const prefixes = ['--src-prefix=a/', '--dst-prefix=b/'];
const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', ...prefixes];
/** Names are for people: a letter that is not ASCII is no riddle of octal numbers. */
const readable = { 'core.quotePath': 'false' };
/** More names than this are no command line; then all of it is told. */
const mostPaths = 2000;

export function commitDiff(
  root: string,
  [from, to]: readonly [string, string],
  form: Form,
  only: readonly string[] = [],
): Promise<string> {
  const paths = only.length <= mostPaths ? only.map((name) => `:(top,literal)${name}`) : [];
  return git(root, ['diff', ...plain, forms[form], from, to, '--', ...paths], { config: readable });
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
  const named = only && only.length <= mostPaths ? only.map((name) => `:(top,literal)${name}`) : [':/'];
  const paths = [...named, ':(top,exclude).docket'];
  const links = (await gitlinksIn(cwd)).map((link) => link.path);
  return withOwnIndex(cwd, async (options) => {
    await git(cwd, ['add', '--intent-to-add', ...allBut(links)], options);
    const how = [...plain, notWithin, '--ita-visible-in-index', forms[form]];
    const config = { ...options.config, ...readable };
    return git(cwd, ['diff', ...how, base, '--', ...paths], { ...options, config });
  });
}
