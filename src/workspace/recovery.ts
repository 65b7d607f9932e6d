import { DocketError } from '../errors.ts';
import { git, tryGit } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { commitOf, noHooks, ownRef } from './branch.ts';
import { harmless } from './commit-status.ts';
import { allBut, gitlinksIn } from './gitlinks.ts';
import { withOwnIndex } from './hidden-edits.ts';
import { carry, quietly } from './integrate.ts';
import type { Plan } from './marker.ts';
import { commitTree, treeOfCommit } from './merge.ts';
import { tipsIn } from './remove-losses.ts';

const folder = 'refs/docket/kept/';

/** The whole name of a recovery ref; people give its end. */
export async function keptRef(root: string, name: string): Promise<string> {
  const ref = folder + (name.startsWith(folder) ? name.slice(folder.length) : name);
  if ((await tryGit(root, ['check-ref-format', ref])).code === 0) return ref;
  const message = `git takes "${name}" for no ref's name`;
  throw new DocketError('INVALID', message, 'use letters, digits, "-", "_", "." and "/"', { ref: name });
}

/**
 * Saves everything of a task under one name in the root, as one commit: its files are those of the work tree, new ones
 * too; its parents are the last commit, the index, and all else that has a name there. What git ignores is not saved.
 */
export async function keepAll(root: string, id: string, ref: string, plan?: Plan): Promise<string> {
  const place = plan && exists(plan.path) ? plan.path : undefined;
  const kept =
    place === undefined ? await commitOf(root, ownRef(id)) : await everythingIn(place, root, plan?.kind, id);
  if (kept === undefined)
    throw new DocketError('REFUSED', `task ${id} has no work that could be kept`, 'leave out --keep-as', {
      id,
    });
  const before = await commitOf(root, ref);
  if (before !== undefined) {
    if (await isSame(root, before, place ?? root, kept)) return before;
    throw new DocketError(
      'REFUSED',
      `${ref} is there already, and holds something else`,
      'choose another name',
      {
        ref,
      },
    );
  }
  if (place !== undefined && plan?.kind === 'clone') {
    await git(place, ['update-ref', ref, kept], { config: noHooks });
    await git(root, ['fetch', ...quietly, place, `${ref}:${ref}`], { config: noHooks, timeoutMs: 0 });
  } else await git(root, ['update-ref', '--create-reflog', ref, kept, ''], { config: noHooks });
  return kept;
}

/** A call that was cut off has kept it already, at another time. */
async function isSame(root: string, before: string, place: string, now: string): Promise<boolean> {
  const [tree, head] = [await treeOfCommit(root, before), await commitOf(root, `${before}^1`)];
  const also = [await treeOfCommit(place, now), await commitOf(place, `${now}^1`)];
  return before === now || (tree === also[0] && head === also[1]);
}

async function everythingIn(
  place: string,
  root: string,
  kind: Plan['kind'] | undefined,
  id: string,
): Promise<string> {
  const config = await harmless(place);
  const head = (await git(place, ['rev-parse', '--verify', 'HEAD'])).trim();
  const staged = await tryGit(place, ['write-tree'], { config });
  // In the middle of a merge the index is no tree; the files with their marks are in the work tree.
  const indexTree = staged.code === 0 ? staged.stdout.trim() : await treeOfCommit(place, head);
  const tree = await workTree(place);
  const index = await commitTree(place, {
    tree: indexTree,
    parents: [head],
    message: `docket: the index of ${id}`,
  });
  const others = kind === 'clone' ? await tipsIn(place, root) : [];
  const message = `docket: everything of task ${id}\n\n${others.map(([ref, tip]) => `${tip} ${ref}`).join('\n')}\n`;
  const parents = [...new Set([head, index, ...others.map(([, tip]) => tip)])];
  return commitTree(place, { tree, parents, message });
}

/** New files too, and those that git was told not to look at. */
function workTree(place: string): Promise<string> {
  return withOwnIndex(place, async (options) => {
    const links = (await gitlinksIn(place)).map((link) => link.path);
    await git(place, ['add', '--all', ...allBut(links)], options);
    if (links.length > 0) await git(place, ['update-index', '--add', '--', ...links], options);
    return (await git(place, ['write-tree'], options)).trim();
  });
}

/** Makes a fresh workspace on the kept branch what the kept one was: files, index, and branches of its own. */
export async function bringBack(root: string, ref: string, place: string): Promise<void> {
  const kept = await commitOf(root, ref);
  if (kept === undefined)
    throw new DocketError('NOT_FOUND', `${ref} is gone`, 'look for it with "git for-each-ref refs/docket"', {
      ref,
    });
  await carry(root, place, ref);
  await git(place, ['update-ref', ref, kept], { config: noHooks });
  const config = await harmless(place);
  await git(place, ['read-tree', '--reset', '-u', kept], { config, timeoutMs: 0 });
  const index = await commitOf(place, `${kept}^2`);
  if (index !== undefined) await git(place, ['read-tree', index], { config });
  await tryGit(place, ['update-index', '-q', '--refresh'], { config }); // says which files differ, by its code
  const message = await git(root, ['log', '-1', '--format=%b', kept]);
  for (const [, tip = '', name = ''] of message.matchAll(/^([0-9a-f]{40,64}) (refs\/heads\/\S+)$/gm))
    if ((await commitOf(place, name)) === undefined)
      await git(place, ['update-ref', name, tip], { config: noHooks });
}
