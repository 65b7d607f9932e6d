import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { copyUnlessThere } from '../io/copies.ts';
import { removeFile } from '../io/files.ts';
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
  const listed = parts(await git(place, ['ls-files', '-v', '-z'], { bytes: true }));
  const names = listed.filter((line) => /^[Sa-z] /.test(line)).map((line) => line.slice(2));
  return names.filter((name) => isFileOrLink(path.join(place, asText(name))));
}
