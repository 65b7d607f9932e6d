import path from 'node:path';
import { readBytes } from '../io/files.ts';
import { git } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { excludedIn } from './clone.ts';
import { hiddenEdits } from './hidden-edits.ts';
import { plainSource, sourceOf } from './prepare-place.ts';

/** The files of a workspace that git does not show to a status or a commit. A linked work tree has people's own exclude rules. */
export function hiddenInWorkspace(plan: { kind: string; path: string }, root: string): Promise<string[]> {
  return plan.kind === 'clone' ? hiddenIn(plan.path, root) : hiddenEdits(plan.path);
}

/**
 * What git was told in a clone's own files not to look at: edits of files with a mark in the index, and new files that
 * lines of `info/exclude` name that docket did not write. Neither is seen by a status or a commit, so what is proved
 * would be more than what is kept.
 */
async function hiddenIn(clone: string, root: string): Promise<string[]> {
  const { common } = plainSource(root) ?? (await sourceOf(root));
  const known = new Set(rulesIn(excludedIn(common)));
  const text = readBytes(path.join(clone, '.git', 'info', 'exclude'))?.toString() ?? '';
  const rules = rulesIn(text).filter((rule) => !known.has(rule));
  return [...(await hiddenEdits(clone)), ...(rules.length > 0 ? await namedBy(rules, clone, root) : [])];
}

/** What was copied from the root, so that it is there and is not committed, has a line too. */
async function namedBy(rules: readonly string[], clone: string, root: string): Promise<string[]> {
  const args = ['ls-files', '-z', '--others', '--ignored', ...rules.map((rule) => `--exclude=${rule}`)];
  const named = (await git(clone, args)).split('\0').filter((name) => name !== '');
  return named.filter((name) => !exists(path.join(root, name)));
}

function rulesIn(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}
