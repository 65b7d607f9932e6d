import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { copyUnlessThere } from '../io/copies.ts';
import { createFile, fingerprint, readBytes, removeFile } from '../io/files.ts';
import { findUp } from '../io/find-up.ts';
import { git } from '../io/git.ts';
import { exists, isFileOrLink } from '../io/links.ts';
import { asText, joinParts, parts } from './bytes.ts';
import { excludedIn } from './clone.ts';
import { harmless, notWithin } from './commit-status.ts';
import { gitDirOf, plainSource, sourceOf } from './place.ts';

type Options = { config: Record<string, string>; env: Record<string, string>; timeoutMs: 0 };

/** With an index of its own, in which nothing is hidden: the one that is there stays as it is. */
export async function withOwnIndex<T>(place: string, use: (options: Options) => Promise<T>): Promise<T> {
  const [dir, config] = await Promise.all([gitDirOf(place), harmless(place)]);
  const index = path.join(dir, `docket-index-${randomUUID()}`);
  const options: Options = { config, env: { GIT_INDEX_FILE: index }, timeoutMs: 0 };
  try {
    if (exists(path.join(dir, 'index'))) copyUnlessThere(path.join(dir, 'index'), index);
    const input = joinParts(await markedIn(place));
    const show = (mark: string) => ['update-index', mark, '-z', '--stdin'];
    if (input !== '')
      for (const mark of ['--no-skip-worktree', '--no-assume-unchanged'])
        await git(place, show(mark), { ...options, bytes: true, input });
    return await use(options);
  } finally {
    removeFile(index);
    removeFile(`${index}.lock`);
  }
}

/** Edits that git does not tell of, because somebody told it to look away from these files. */
export async function hiddenEdits(place: string): Promise<string[]> {
  const marked = new Set(await markedIn(place));
  if (marked.size === 0) return [];
  return withOwnIndex(place, async (options) => {
    const args = ['diff', '--name-only', '--no-ext-diff', '--no-renames', notWithin, '-z'];
    const changed = parts(await git(place, args, { ...options, bytes: true }));
    return changed.filter((name) => marked.has(name)).map(asText);
  });
}

/** Files with such a mark that are there, as bytes: those that a sparse work tree has not are nobody's edits. */
async function markedIn(place: string): Promise<string[]> {
  const names = await marksIn(place);
  return names.filter((name) => isFileOrLink(path.join(place, asText(name))));
}

/** Tells later which files got such a mark meanwhile. Git is asked only if the index is another one by then. */
export async function watchMarks(place: string): Promise<() => Promise<string[]>> {
  const index = path.join(findUp(place, ['.git']) ?? place, '.git', 'index');
  const version = exists(index) ? fingerprint(index) : undefined;
  if (version === undefined) {
    const before = await markedIn(place); // a linked work tree: its index is elsewhere
    return async () => without(before, await markedIn(place));
  }
  const bytes = readBytes(index);
  return async () => {
    if (exists(index) && fingerprint(index) === version) return [];
    const before = bytes === undefined ? [] : await marksInCopy(place, path.dirname(index), bytes);
    return without(before, await markedIn(place));
  };
}

function without(before: readonly string[], now: readonly string[]): string[] {
  const known = new Set(before);
  return now.filter((name) => !known.has(name));
}

async function marksInCopy(place: string, gitDir: string, bytes: Buffer): Promise<string[]> {
  const copy = path.join(gitDir, `docket-index-${randomUUID()}`);
  try {
    createFile(copy, bytes);
    return await marksIn(place, { GIT_INDEX_FILE: copy });
  } finally {
    removeFile(copy);
  }
}

async function marksIn(place: string, env: Record<string, string> = {}): Promise<string[]> {
  const listed = parts(await git(place, ['ls-files', '-v', '-z'], { bytes: true, env }));
  return listed.filter((line) => /^[Sa-z] /.test(line)).map((line) => line.slice(2));
}

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
