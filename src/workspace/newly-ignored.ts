import path from 'node:path';
import { makeDir, removeFile } from '../io/files.ts';
import { removeTree } from '../io/folders.ts';
import { git, tryGit } from '../io/git.ts';
import { asText, joinParts, parts } from './bytes.ts';
import { harmless } from './commit-status.ts';
import { gitDirOf } from './place.ts';

/** What a workspace holds that is in no commit, because the task itself changed what git ignores. */
export interface NewlyIgnored {
  /** Files, and folders with a slash at their end. */
  paths: string[];
  /** Nothing but rules for what is ignored would be committed. */
  isAll: boolean;
}

const ruleFiles = ':(glob)**/.gitignore';

/** Undefined: the rules are those of the base, or hide nothing more. */
export async function newlyIgnored(place: string, base: string): Promise<NewlyIgnored | undefined> {
  const config = await harmless(place);
  const list = async (...args: string[]) =>
    parts(await git(place, args, { bytes: true, config, timeoutMs: 0 }));
  const names = ['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', base];
  const ignored = await list('ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory');
  const caches = await selfHidden(ignored, (folder) => list('ls-files', '-z', '--', `:(literal)${folder}`));
  const now = ignored.filter((name) => !isRule(name) && !caches.some((folder) => name.startsWith(folder)));
  const before = await ignoredBy(base, place, now);
  const paths = now.filter((name) => !before.has(name)).map(asText);
  if (paths.length === 0) return undefined;
  const changed = [
    ...(await list(...names)),
    ...(await list('ls-files', '-z', '--others', '--exclude-standard')),
  ];
  return { paths, isAll: changed.every(isRule) };
}

/** The folders of tools that keep their own files out of git, such as caches of test runners: nothing in them is tracked. */
async function selfHidden(
  ignored: readonly string[],
  trackedIn: (folder: string) => Promise<string[]>,
): Promise<string[]> {
  const folders: string[] = [];
  for (const name of ignored.filter(isRule)) {
    const folder = name.slice(0, -'.gitignore'.length);
    if (folder !== '' && (await trackedIn(asText(folder))).length === 0) folders.push(folder);
  }
  return folders;
}

function isRule(name: string): boolean {
  return path.posix.basename(name) === '.gitignore';
}

/** Which of these the rules of a commit ignore. They are checked out into a folder of their own, so that git reads them. */
async function ignoredBy(commit: string, place: string, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const gitDir = await gitDirOf(place);
  // One name: what a killed docket process left is removed by the next one.
  const folder = path.join(gitDir, 'docket-rules');
  const index = `${folder}.index`;
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
  const clear = (): void => {
    removeTree(folder);
    removeFile(index);
  };
  clear();
  makeDir(folder);
  try {
    const options = { env, config: await harmless(place), bytes: true };
    await git(folder, ['read-tree', commit], options);
    const files = await git(folder, ['ls-files', '-z', '--', ruleFiles], options);
    if (files !== '')
      await git(folder, ['checkout-index', '-f', '-z', '--stdin'], { ...options, input: files });
    const args = ['check-ignore', '--no-index', '-z', '--stdin'];
    const { stdout } = await tryGit(folder, args, { ...options, input: joinParts(names) });
    return new Set(parts(stdout));
  } finally {
    clear();
  }
}
