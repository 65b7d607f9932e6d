import { createHash } from 'node:crypto';
import path from 'node:path';
import { ownFingerprint } from '../io/files.ts';
import { git, tryGit } from '../io/git.ts';
import { exists } from '../io/links.ts';
import { ownPlaces, ownPlacesIn } from '../io/own-places.ts';
import { harmless, notWithin } from './commit-status.ts';
import { gitlinksIn } from './gitlinks.ts';

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
  /** The folder is not there any more, or git does not read it any more. */
  gone?: { folder: string; branch: string; isThere: boolean };
  committed: boolean;
}

/** In place of a branch's name. */
export const noBranch = 'detached';

const status = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=all',
  '--no-renames',
  notWithin,
  '--',
  '.',
];

/** The call of git that tells a state. What docket itself writes while an agent works is left out. */
export const stateCall = [...status, ...ownPlaces.map((name) => `:(exclude)${name}`)];

/**
 * Undefined where there is no git work tree: nothing can be told there. One call: it is asked around every step. A clone is
 * its agents' own: filters that stand in its settings are not run. In people's own tree they are people's.
 */
export async function treeState(cwd: string, isClone = false): Promise<TreeState | undefined> {
  const { code, stdout } = await tryGit(cwd, stateCall, isClone ? { config: await harmless(cwd) } : {});
  if (code !== 0) return undefined;
  const state = stateIn(cwd, stdout);
  const inner = await modulesIn(cwd, isClone);
  return inner.size === 0 ? state : { ...state, dirty: new Map([...state.dirty, ...inner]) };
}

/** Submodules with changes of their own, as they are in the state. */
async function modulesIn(cwd: string, isClone: boolean): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const link of await gitlinksIn(cwd)) {
    if (link.module === undefined) continue;
    const inner = await treeState(link.folder, isClone);
    if (!inner || inner.dirty.size === 0) continue;
    const print = createHash('sha256').update(JSON.stringify([inner.head, ...inner.dirty]));
    found.set(link.path, `1 .M ${print.digest('hex').slice(0, 32)}`);
  }
  return found;
}

/** What the call told about a folder. */
export function stateIn(cwd: string, stdout: string): TreeState {
  const isOwn = ownPlacesIn(cwd);
  let branch = noBranch;
  let head = '';
  const dirty = new Map<string, string>();
  for (const line of stdout.split('\0')) {
    const [kind = '', ...words] = line.split(' ');
    if (kind === '#' && words[0] === 'branch.head' && words[1] !== '(detached)')
      branch = words.slice(1).join(' ');
    if (kind === '#' && words[0] === 'branch.oid' && words[1] !== '(initial)') head = words[1] ?? '';
    const name = words.slice(before[kind] ?? Infinity).join(' ');
    if (name !== '' && !isOwn(name))
      dirty.set(name, `${kind} ${words[0]} ${ownFingerprint(path.join(cwd, name)) ?? ''}`);
  }
  return { branch, head, dirty };
}

/** By the kind of a line, how many words stand before the name: changed, unmerged, untracked. */
const before: Readonly<Record<string, number>> = { '1': 7, u: 9, '?': 0 };

export async function changeSince(
  cwd: string,
  was: TreeState,
  now?: TreeState,
  isClone = false,
): Promise<TreeChange> {
  const after = now ?? (await treeState(cwd, isClone));
  if (!after)
    return { paths: [], committed: false, gone: { folder: cwd, branch: was.branch, isThere: exists(cwd) } };
  const paths = new Set<string>();
  for (const [name, state] of was.dirty) if (after.dirty.get(name) !== state) paths.add(name);
  for (const [name, state] of after.dirty) if (was.dirty.get(name) !== state) paths.add(name);
  const committed = was.head !== after.head;
  if (committed && was.head !== '' && after.head !== '') {
    const names = await git(cwd, ['diff', '--name-only', '--no-renames', '-z', was.head, after.head]);
    for (const name of names.split('\0')) if (name !== '') paths.add(name);
  }
  return {
    paths: [...paths].toSorted(),
    committed,
    ...(was.branch !== after.branch && { switched: { from: was.branch, to: after.branch } }),
  };
}
