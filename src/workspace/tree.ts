import path from 'node:path';
import { ownFingerprint } from '../io/files.ts';
import { git } from '../io/git.ts';

/** A work tree at one moment: where it stands, and what is not committed. */
export interface TreeState {
  branch: string;
  head: string;
  /** Path → its status and fingerprint; only of what differs from the last commit. */
  dirty: ReadonlyMap<string, string>;
}

export interface TreeChange {
  /** Paths whose content or presence is another than before, sorted. Committed ones count as well. */
  paths: string[];
  /** The branch was switched under us: what was committed since went somewhere else. */
  switched?: { from: string; to: string };
  committed: boolean;
}

/** Undefined where there is no git work tree: nothing can be told there. */
export async function treeState(cwd: string): Promise<TreeState | undefined> {
  const inside = await git(cwd, ['rev-parse', '--is-inside-work-tree']).catch(() => 'false');
  if (inside.trim() !== 'true') return undefined;
  const [branch, head, status] = await Promise.all([
    git(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD']).catch(() => 'detached'),
    git(cwd, ['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => ''),
    git(cwd, [
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      '--',
      '.',
      ':(exclude).docket',
    ]),
  ]);
  const dirty = new Map<string, string>();
  for (const entry of status.split('\0')) {
    const name = entry.slice(3);
    if (name !== '') dirty.set(name, `${entry.slice(0, 2)} ${ownFingerprint(path.join(cwd, name)) ?? ''}`);
  }
  return { branch: branch.trim(), head: head.trim(), dirty };
}

export async function changeSince(cwd: string, before: TreeState): Promise<TreeChange> {
  const after = await treeState(cwd);
  if (!after)
    return { paths: [], committed: false, switched: { from: before.branch, to: 'no work tree at all' } };
  const paths = new Set<string>();
  for (const [name, was] of before.dirty) if (after.dirty.get(name) !== was) paths.add(name);
  for (const [name, is] of after.dirty) if (before.dirty.get(name) !== is) paths.add(name);
  const committed = before.head !== after.head;
  if (committed && before.head !== '' && after.head !== '') {
    const names = await git(cwd, ['diff', '--name-only', '--no-renames', '-z', before.head, after.head]);
    for (const name of names.split('\0')) if (name !== '') paths.add(name);
  }
  return {
    paths: [...paths].toSorted(),
    committed,
    ...(before.branch !== after.branch && { switched: { from: before.branch, to: after.branch } }),
  };
}
