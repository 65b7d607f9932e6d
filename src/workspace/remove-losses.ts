import path from 'node:path';
import { command, fix } from '../errors/command.ts';
import { git, tryGit } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { standingIn } from '../io/process/standing-in.ts';
import { branchesOf, branchRef, ownRef } from './branch.ts';
import { checkedOutIn, type CheckedOut } from './clone-modules.ts';
import { uncommittedIn } from './commit-status.ts';
import { hiddenEdits } from './hidden-edits.ts';
import { readMarker } from './marker.ts';
import { sourceOf } from './place.ts';

/**
 * Why a workspace must not be deleted. `savable`: all of it can be saved first. The others stand in the way of that
 * too: somebody is at work there, it is not ours, or git cannot save it.
 */
export interface Loss {
  kind: 'foreign' | 'process' | 'repository' | 'uncommitted' | 'commits' | 'branch';
  text: string;
  savable: boolean;
}

export interface Doomed {
  root: string;
  id: string;
  /** Absent: it was worked on in place. */
  place?: string;
  branch?: string;
  /** A commit whose content was merged under another name. */
  squashed?: string;
}

/** What would be lost. Safe is what another branch, a tag, a remote's branch or a recovery ref of the root holds. */
export async function lossesOf(doomed: Doomed): Promise<Loss[]> {
  const { root, id, place, branch } = doomed;
  const losses: Loss[] = [];
  const tips = new Map<string, string>();
  if (place !== undefined && exists(place)) {
    const found = readMarker(place, { root, id });
    if (!found)
      return [{ kind: 'foreign', text: `${place} is not the workspace that docket made`, savable: false }];
    losses.push(...peopleIn(place), ...(await queueIn(place)), ...(await unsavedIn(place)));
    if (found.plan.kind === 'clone') for (const [ref, tip] of await tipsIn(place, root)) tips.set(tip, ref);
    else tips.set(await headOf(place), 'HEAD');
    losses.push(...(await modulesOnlyIn(root, place)));
  }
  if (branch !== undefined) {
    const { commits, own } = await branchesOf(root, id);
    for (const tip of [own, commits.get(branch)]) if (tip !== undefined) tips.set(tip, branchRef(branch));
  }
  for (const [tip, ref] of tips) {
    if (tip === '' || tip === doomed.squashed || (await isSafe(doomed, tip))) continue;
    const own = ref === `refs/heads/${branch}` || ref === 'HEAD';
    losses.push({
      kind: own ? 'branch' : 'commits',
      text: own
        ? `the branch "${branch}" (${tip.slice(0, 10)}) is neither merged nor pushed`
        : `${ref} in ${place} has commits that are nowhere else (${tip.slice(0, 10)})`,
      savable: true,
    });
  }
  return losses;
}

function peopleIn(place: string): Loss[] {
  return standingIn(place).map(({ pid, name }) => ({
    kind: 'process',
    text: `process ${pid} (${name}) is at work in ${place}`,
    savable: false,
  }));
}

/** Made there with `--root`: git ignores it, so nothing else would tell. */
async function queueIn(place: string): Promise<Loss[]> {
  if (!exists(path.join(place, '.docket', 'queue', 'journal.jsonl'))) return [];
  const names = (await queueParts(place)).map((name) => path.join(place, name)).join(' and ');
  const text =
    fix`${place} has a queue of its own: see it with ${command`list --root ${place}`}, and move ${names} away when nothing there is missing`
      .text;
  return [{ kind: 'repository', text, savable: false }];
}

/** What is the queue's there, and nothing that is committed: settings and workflows lie in the same folders. */
async function queueParts(place: string): Promise<string[]> {
  const isShared = (await git(place, ['ls-files', '--', '.takt'])) !== '';
  const own = isShared ? ['.takt/tasks.yaml', '.takt/tasks'] : ['.takt'];
  return ['.docket/queue', ...own.filter((name) => exists(path.join(place, name)))];
}

async function unsavedIn(place: string): Promise<Loss[]> {
  const { paths, unmerged, repositories, modules } = await uncommittedIn(place);
  const losses: Loss[] = repositories.map((name) => ({
    kind: 'repository',
    text: `${path.join(place, name)} is a repository of its own, which git cannot save: move it away first`,
    savable: false,
  }));
  for (const name of modules)
    losses.push({
      kind: 'repository',
      text: `the submodule ${name} in ${place} has changes that are not committed there: commit them first`,
      savable: false,
    });
  const hidden = await hiddenEdits(place);
  const files = [...new Set([...paths, ...unmerged, ...hidden])].filter((name) => !modules.includes(name));
  const names = `${files.slice(0, 5).join(', ')}${files.length > 5 ? ', …' : ''}`;
  if (files.length > 0)
    losses.push({
      kind: 'uncommitted',
      text: `${files.length === 1 ? '1 file is' : `${files.length} files are`} not committed: ${names}`,
      savable: true,
    });
  return losses;
}

/**
 * All that has a name in a clone and not in the root: an agent may have made branches, tags and other refs of its own, or
 * stashed, more than once. What a remote has is there.
 */
export async function tipsIn(place: string, root: string): Promise<[ref: string, commit: string][]> {
  const tags = new Set(await refsIn(root, ['refs/tags']));
  const isOwn = (line: string): boolean => !tags.has(line) && !line.startsWith('refs/remotes/');
  const named = (await refsIn(place, [])).filter(isOwn);
  const head = await headOf(place);
  const pairs = named.map((line): [string, string] => [
    line.slice(0, line.indexOf(' ')),
    line.slice(-head.length),
  ]);
  const hasStash = pairs.some(([ref]) => ref === 'refs/stash');
  const stashed = hasStash ? await git(place, ['rev-list', '--walk-reflogs', 'refs/stash']) : '';
  const older = stashed.split('\n').filter((commit) => commit !== '');
  const stashes = older.map((commit, at): [string, string] => [`refs/stash@{${at}}`, commit]);
  return [['HEAD', head], ...pairs.filter(([ref]) => ref !== 'refs/stash'), ...stashes];
}

/** Each with its commit; a tag may be an object of its own, or name something else. */
async function refsIn(place: string, below: readonly string[]): Promise<string[]> {
  const tip = (star: '' | '*') => `%(${star}objecttype) %(${star}objectname)`;
  const format = `%(refname) %(if)%(*objectname)%(then)${tip('*')}%(else)${tip('')}%(end)`;
  const lines = (await git(place, ['for-each-ref', `--format=${format}`, ...below])).split('\n');
  return lines.filter((line) => line.split(' ')[1] === 'commit');
}

async function headOf(place: string): Promise<string> {
  return (await git(place, ['rev-parse', '--verify', 'HEAD'])).trim();
}

async function isSafe({ root, id, branch }: Doomed, tip: string): Promise<boolean> {
  const args = [
    'for-each-ref',
    `--contains=${tip}`,
    '--format=%(refname)',
    'refs/heads',
    'refs/remotes',
    'refs/tags',
    'refs/docket/kept',
  ];
  const { code, stdout } = await tryGit(root, args);
  const own = [ownRef(id), ...(branch === undefined ? [] : [branchRef(branch)])];
  return code === 0 && stdout.split('\n').some((ref) => ref !== '' && !own.includes(ref));
}

/** Their commits are objects of another repository, which the root may have or not. */
async function modulesOnlyIn(root: string, place: string): Promise<Loss[]> {
  const { common } = await sourceOf(root);
  const losses: Loss[] = [];
  for (const module of await checkedOutIn(place, common))
    if (!(await isElsewhere(module)))
      losses.push({
        kind: 'repository',
        text: `the submodule ${module.path} in ${place} has commits that are nowhere else: push them first`,
        savable: false,
      });
  return losses;
}

/** What the root does not have, a remote may: where it was fetched from, or pushed to. */
async function isElsewhere({ folder, home }: CheckedOut): Promise<boolean> {
  const head = await headOf(folder);
  if (home !== undefined && (await tryGit(home, ['--git-dir=.', 'cat-file', '-e', head])).code === 0)
    return true;
  return (await git(folder, ['for-each-ref', `--contains=${head}`, 'refs/remotes'])) !== '';
}
