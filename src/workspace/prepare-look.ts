import { branchesOf, branchRef, type Branches } from './branch.ts';
import { ownSettings, plainSource, sourceOf, type Source } from './prepare-place.ts';
import type { Wish } from './prepare-plan.ts';
import { branchInHead, refInFiles } from './ref-files.ts';

/** What has to be known of the root before a workspace is made. */
interface Looked {
  source: Source;
  branches: Branches;
  settings: Record<string, string>;
}

/** Starting git is most of what a look costs: what its files say plainly is read there, and it is asked for the rest at once. */
export async function lookedAt(root: string, wish: Wish): Promise<Looked> {
  const plain = plainSource(root);
  const standing = plain && standingAt(plain.common, wish);
  const others = Promise.all([standing ?? branchesOf(root, wish.id), ownSettings(root)]);
  // Where there is no repository, that is told first.
  const [source] = await Promise.allSettled([plain ?? sourceOf(root), others]);
  if (source.status === 'rejected') throw source.reason;
  const [branches, settings] = await others;
  return { source: source.value, branches, settings };
}

/** The branch to begin from, for a task that has none of its own yet; undefined: git has to be asked. */
function standingAt(common: string, { branch, before, base }: Wish): Branches | undefined {
  if (branch !== undefined || before !== undefined) return undefined;
  const current = branchInHead(common);
  const name = base ?? current;
  const commit = name === undefined ? undefined : refInFiles(common, branchRef(name));
  if (current === undefined || name === undefined || commit === undefined) return undefined;
  return { current, commits: new Map([[name, commit]]), places: new Map() };
}
