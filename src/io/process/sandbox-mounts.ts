import fs from 'node:fs';
import path from 'node:path';
import { ownFolders, ownPlaces, statePlacesIn } from '../own-places.ts';

interface Kept {
  /** The project: what docket itself goes by lies there. */
  root: string;
  /** Where the agent works. */
  work: string;
  /** The work tree is only looked at. */
  readOnly: boolean;
  /** For work of low trust: what holds secrets, the journal and other tasks cannot be read either. */
  isHidden: boolean;
}

/** docket's own folders, of all layouts. People may have a "state" folder without a board. */
const own = ownFolders.filter((name) => name !== 'state');
/** What people configure packets with. A vouched task may work on it, as on any other file. */
const packetSettings = ['configs/servant', 'configs/servants', 'configs/pipeline', 'prompts-src'];
const board = ['state', 'config/acceptance-policy.json', 'docs/protocol-config.json'];
/** Records of docket and of takt in `.takt`. The other folders there (workflows, facets) are work like any other. */
const records = new Set([...ownPlaces, '.takt/completed', '.takt/logs']);
const secrets = /^(?:\.env(?:\..+)?|\.npmrc|\.yarnrc\.yml|\.netrc|\.pypirc|\.git-credentials)$/;
const sample = /\.(?:example|sample|template|dist)$/;

/**
 * What docket and git go by cannot be written in any sandbox. An agent in a clone of its own may commit there, and change
 * neither settings nor hooks; elsewhere people commit, and all of `.git` is read-only.
 */
export function keptMounts({ root, work, readOnly, isHidden }: Kept): Mount[] {
  const inPlace = isBelow(work, root);
  const isBoard = fs.existsSync(path.join(root, 'state/tasks.jsonl'));
  const names = [
    ...own,
    ...(isHidden ? packetSettings : []),
    ...(inPlace && isBoard ? board : []),
    ...(inPlace ? statePlacesIn(root) : []),
  ];
  const ours = names.map((name) => path.join(inPlace ? root : work, name));
  const { repositories, obeyed, git } = repositoryOf(root, work, inPlace);
  const there = (at: string): boolean => fs.existsSync(at);
  const missing = (at: string): boolean => !there(at) && isTop(at, work);
  // Of the project's own one the journal and other tasks are nobody's business. What a clone adds would be committed.
  const closed = inPlace
    ? [path.join(root, '.docket')].filter(there)
    : ours.filter((at) => !readOnly && missing(at));
  // What an agent puts there first would be a packet or a task that people seem to have ordered.
  const planned = inPlace && !readOnly ? own.filter((name) => canBeMade(root, name)) : [];
  const gone = [...(isHidden ? closed : []), ...planned.map((name) => path.join(root, name))];
  const shut = [...ours, ...obeyed].filter((at) => there(at) && !gone.includes(at));
  const open = isHidden || readOnly ? [] : openIn(path.join(inPlace ? root : work, '.takt'));
  // What is mounted cannot be moved away, to put another in its place: so each folder on the way is.
  const fixed = readOnly ? [] : waysTo(work, [...shut.map((at) => path.dirname(at)), ...repositories]);
  const blind = isHidden ? blindIn(work, repositories.length > 0 ? undefined : git).filter(there) : [];
  return [
    ...gone.map((at): Mount => ({ kind: 'empty folder', path: at })),
    ...fixed.map((at): Mount => ({ kind: '--bind', path: at })),
    ...shut.map((at): Mount => ({ kind: '--ro-bind', path: real(at) })),
    ...open.map((at): Mount => ({ kind: '--bind', path: at })),
    ...blind.map((at): Mount => ({ kind: 'empty', path: real(at) })),
  ];
}

/** `repositories`: those of a clone, in which the agent may commit. */
function repositoryOf(root: string, work: string, inPlace: boolean) {
  const clone = path.join(work, '.git');
  const isClone = !inPlace && isFolder(clone);
  const git = isClone ? clone : path.join(root, '.git');
  const repositories = isClone ? [git, ...modulesOf(git)] : [];
  const files = ['config', 'config.worktree', 'hooks', 'info', 'docket.json'];
  const obeyed = isClone
    ? repositories.flatMap((at) => files.map((name) => path.join(at, name)))
    : [...new Set([git, clone])];
  return { git, repositories, obeyed };
}

/** What holds secrets by its name. A remote's address may hold a token. */
function blindIn(work: string, git: string | undefined): string[] {
  const secretive = fs.readdirSync(work).filter((name) => secrets.test(name) && !sample.test(name));
  return [
    ...secretive.map((name) => path.join(work, name)),
    ...(git === undefined ? [] : [path.join(git, 'config')]),
  ];
}

function openIn(takt: string): string[] {
  if (!isFolder(takt) || real(takt) !== takt) return [];
  return fs
    .readdirSync(takt, { withFileTypes: true })
    .filter(
      (entry) => entry.isDirectory() && !records.has(`.takt/${entry.name}`) && !entry.name.startsWith('.'),
    )
    .map(({ name }) => path.join(takt, name));
}

/** The repositories of the submodules, and of theirs. */
function modulesOf(gitDir: string): string[] {
  const look = (folder: string): string[] =>
    fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isDirectory()) return [];
      const at = path.join(folder, entry.name);
      return fs.existsSync(path.join(at, 'HEAD')) ? [at, ...modulesOf(at)] : look(at);
    });
  const modules = path.join(gitDir, 'modules');
  return isFolder(modules) ? look(modules) : [];
}

/** The folders below one that lead to others, those among them. */
function waysTo(from: string, folders: readonly string[]): string[] {
  const all = folders.flatMap((folder) => {
    const names = path.relative(from, folder).split(path.sep);
    return names.map((_, at) => path.join(from, ...names.slice(0, at + 1)));
  });
  return [...new Set(all)].filter((at) => at !== from && isBelow(from, at) && real(at) === at);
}

/** Missing, and not below a link, which could lead to where nothing can be made. */
function canBeMade(root: string, name: string): boolean {
  const at = path.join(root, name);
  const stat = fs.lstatSync(at, { throwIfNoEntry: false });
  const parent = path.dirname(name);
  if (stat !== undefined) return false;
  return parent === '.' || isPlainFolder(path.join(root, parent)) || canBeMade(root, parent);
}

function isPlainFolder(at: string): boolean {
  return fs.lstatSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isTop(at: string, folder: string): boolean {
  return path.dirname(at) === folder && path.basename(at).startsWith('.');
}

/**
 * A place in a sandbox: the real one, writable or not, a new folder, or nothing in its stead: an empty file, or a folder
 * that stays empty but for what else is mounted in it.
 */
export type Mount =
  | { kind: '--bind' | '--bind-try' | '--ro-bind' | '--ro-bind-try' | '--tmpfs'; path: string }
  | { kind: 'empty' | 'empty folder'; path: string };

/** Folders before what is inside them: the innermost says what may be done there, of equals the last. */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const depth = (mount: Mount): number => mount.path.split('/').filter(Boolean).length;
  return mounts.toSorted((a, b) => depth(a) - depth(b));
}

/** `nothing`: an empty file. */
export function mountOf({ kind, path: at }: Mount, nothing = ''): string[] {
  if (kind === 'empty') return ['--ro-bind', nothing, at];
  if (kind === '--tmpfs' || kind === 'empty folder') return ['--tmpfs', at];
  return [kind, at, at];
}

/** Behind all mounts, because those inside of it need their places. */
export function closing(mounts: readonly Mount[]): string[] {
  return mounts.flatMap(({ kind, path: at }) => (kind === 'empty folder' ? ['--remount-ro', at] : []));
}

/** Mounts go to where a link leads; the link itself is in the sandbox too. */
export function real(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}

export function isBelow(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`);
}

export function isFolder(at: string): boolean {
  return fs.statSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
