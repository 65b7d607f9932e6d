import path from 'node:path';
import { readBytes } from '../io/files.ts';
import { git } from '../io/git.ts';
import { excludedIn } from './clone.ts';
import { plainSource, sourceOf } from './prepare-place.ts';

/**
 * What git was told in a clone's own files not to look at: changes of files with a mark in the index, and new files that
 * `info/exclude` names, beside what docket wrote there. Neither is seen by a status or a commit, so what is proved would be
 * more than what is kept.
 */
export async function hiddenIn(clone: string, root: string): Promise<string[]> {
  const files = (await git(clone, ['ls-files', '-v', '-z'])).split('\0');
  const marked = files.filter((line) => /^[a-zS] /.test(line));
  const { common } = plainSource(root) ?? (await sourceOf(root));
  const known = new Set(rulesIn(excludedIn(common)));
  const rules = rulesIn(readBytes(path.join(clone, '.git', 'info', 'exclude'))?.toString() ?? '');
  return [
    ...marked.map((line) => `${line.slice(2)} (git update-index --no-skip-worktree --no-assume-unchanged)`),
    ...rules.filter((rule) => !known.has(rule)).map((rule) => `${rule} (a line of .git/info/exclude)`),
  ];
}

function rulesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
