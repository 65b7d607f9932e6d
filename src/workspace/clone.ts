import path from 'node:path';
import { createFile, makeDir, readBytes, removeFile } from '../io/files.ts';
import { removeTree } from '../io/folders.ts';
import { git, tryGit } from '../io/git.ts';
import { findProgram } from '../io/process/find-program.ts';
import { noHooks } from './branch.ts';
import type { Source } from './prepare-place.ts';

/**
 * An independent copy with one branch checked out, and the one it was made from beside it. It has no remote: what is
 * pushed there by mistake goes nowhere, and the root takes the work from it by itself. No file is shared with the root.
 */
export async function makeClone(
  source: Source,
  place: string,
  { branch, base, settings }: { branch: string; base?: string; settings: Readonly<Record<string, string>> },
): Promise<void> {
  const { common, isShallow, root } = source;
  const wanted = { ...settings, ...withoutLfs(root) };
  const config = Object.entries(wanted).map(([key, value]) => `--config=${key}=${value}`);
  if (base !== undefined && base !== branch)
    config.push(`--config=remote.origin.fetch=+refs/heads/${base}:refs/heads/${base}`);
  const args = ['--quiet', `--branch=${branch}`, ...config];
  const options = { timeoutMs: 0, config: noHooks };
  const shared = ['clone', '--no-local', ...args, `--reference=${common}`, '--dissociate', common, place];
  const done = isShallow ? undefined : await tryGit(root, shared, options);
  if (done?.code !== 0) {
    // Not every repository can be referred to: a shallow or partial one cannot. A plain copy is always possible.
    removeTree(place);
    await git(root, ['clone', '--no-hardlinks', ...args, common, place], options);
  }
  await git(place, ['remote', 'remove', 'origin']);
  excludeToo(path.join(place, '.git'), readBytes(path.join(common, 'info/exclude')), ['/.docket/']);
}

/** What people exclude in their own copy only would otherwise be committed in this one. */
function excludeToo(gitDir: string, theirs: Buffer | undefined, ours: readonly string[]): void {
  makeDir(path.join(gitDir, 'info'));
  const file = path.join(gitDir, 'info/exclude');
  removeFile(file);
  createFile(file, `${theirs?.toString('utf8') ?? ''}\n${ours.join('\n')}\n`);
}

/**
 * Where git-lfs is configured and not installed, git fails at the first such file. Without its filters it is what the
 * repository holds: a pointer, and is committed as one.
 */
export function withoutLfs(cwd: string): Record<string, string> {
  if (findProgram('git-lfs', process.env, cwd) !== undefined) return {};
  const empty = ['process', 'smudge', 'clean'].map((key) => [`filter.lfs.${key}`, '']);
  return { ...Object.fromEntries(empty), 'filter.lfs.required': 'false' };
}
