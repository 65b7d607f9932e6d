import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { copyUnlessThere } from '../io/copies.ts';
import { createFile, fingerprint, readBytes, removeFile } from '../io/files.ts';
import { findUp } from '../io/find-up.ts';
import { git } from '../io/git.ts';
import { exists, isFileOrLink } from '../io/links.ts';
import { joinParts, asText, parts } from './bytes.ts';
import { harmless, notWithin } from './commit-status.ts';
import { gitDirOf } from './prepare-place.ts';

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
