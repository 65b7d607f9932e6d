import path from 'node:path';
import { readBytes } from '../io/files.ts';
import { isFileOrLink } from '../io/links.ts';
import { ownPlacesIn } from '../io/own-places.ts';
import { asText, parts } from './bytes.ts';
import { notWithin } from './commit-status.ts';
import { type Repository, repositoryAt } from './repositories.ts';
import type { Area, TreeStore } from './tree-store.ts';

/** Ignored files count as well where this says so. `below`: the folders to look in, '.' for everywhere. */
export interface Watched {
  below: readonly string[];
  matches(path: string): boolean;
}

/**
 * Brings the store's list of files up to date: what is tracked, what is new, and both in every repository below the
 * root. Returns the repositories, and what is ignored. A submodule's files are files like others here.
 */
export async function addOthers(
  store: TreeStore,
  { root, own, known, watched }: Place,
): Promise<{ found: Map<string, Repository>; ignored: string[] }> {
  const isOwn = ownPlacesIn(root);
  const isOurs = (name: string): boolean => isOwn(asText(name));
  const found = new Map([['', own]]);
  const all = { folder: root, prefix: '' };
  store.excluded = readRules(own);
  const [status, hidden] = await Promise.all([statusOf(store, all), watchedIn(store, all, own, watched)]);
  // A repository in the place of a file is hidden by that file until it is no longer listed.
  const maybe = [...own.modules, ...status.changed].map((name) => `${name}/`);
  const open = [...status.others.filter(isNested), ...maybe, ...known];
  const files: string[] = [];
  for (let at = open.shift(); at !== undefined; at = open.shift()) {
    if (found.has(at) || isOurs(at)) continue;
    const area = { folder: path.resolve(root, asText(at)), prefix: asText(at) };
    const repository = await repositoryAt(area.folder, false);
    if (!repository) continue;
    found.set(at, repository);
    store.excluded = ''; // the root's rules are not this one's
    const { files: others, nested } = await othersIn(store, area, repository);
    files.push(...[...repository.tracked, ...others].map((name) => at + name));
    open.push(...[...nested, ...repository.modules.map((name) => `${name}/`)].map((name) => at + name));
  }
  const inner = [...found.keys()].filter((at) => at !== '');
  const direct = [...status.others, ...status.ignored.filter(isRule), ...hidden].filter(
    (name) => !isNested(name) && !inner.some((at) => name.startsWith(at)),
  );
  const isNew = (name: string): boolean => !status.listed.has(name) && !isOurs(name);
  const fresh = [...own.tracked, ...direct, ...files].filter(isNew);
  await store.add(all, [...new Set([...status.changed.filter((name) => !isOurs(name)), ...fresh])]);
  return { found, ignored: status.ignored };
}

interface Place {
  root: string;
  own: Repository;
  known: readonly string[];
  watched: Watched | undefined;
}

const isNested = (name: string): boolean => name.endsWith('/');
/** A rule may hide itself. */
const isRule = (name: string): boolean => /(^|\/)\.gitignore$/.test(name);

/** What no index knows. Asked of our own repository: the user's index can hide what stands in a tracked file's place. */
async function othersIn(
  store: TreeStore,
  area: Area,
  repository: Repository,
): Promise<{ files: string[]; nested: string[] }> {
  const args = argsFor(repository);
  const [others, hidden] = await Promise.all([
    store.run(area, args),
    store.run(area, [...args, '--ignored', '--directory']),
  ]);
  const files = [...parts(others), ...parts(hidden).filter(isRule)].filter((name) => !isNested(name));
  return { files, nested: parts(others).filter(isNested) };
}

/** What is ignored and counts all the same. */
async function watchedIn(
  store: TreeStore,
  area: Area,
  repository: Repository,
  watched: Watched | undefined,
): Promise<string[]> {
  if (!watched || watched.below.length === 0) return [];
  const args = ['--literal-pathspecs', ...argsFor(repository), '--ignored', '--', ...watched.below];
  return parts(await store.run(area, args)).filter((name) => watched.matches(asText(name)));
}

function argsFor({ dir }: Repository): string[] {
  const rules = path.join(dir, 'info/exclude');
  const own = isFileOrLink(rules) ? [`--exclude-from=${rules}`] : [];
  return ['ls-files', '-z', '--others', '--exclude-standard', ...own];
}

function readRules({ dir }: Repository): string {
  const rules = path.join(dir, 'info/exclude');
  return (isFileOrLink(rules) ? readBytes(rules) : undefined)?.toString('latin1') ?? '';
}

/** What the store's list of an area says, against the files as they are. Names as bytes, from the area. */
interface Status {
  listed: Set<string>;
  /** Of those listed: what is another now, or gone. */
  changed: string[];
  /** What is not listed. With a slash at its end: a repository. */
  others: string[];
  /** What is not listed because a rule says so; of a folder that one names, only the folder. */
  ignored: string[];
}

const kinds = ['--porcelain=v1', '-z', '--no-renames', '--untracked-files=all', '--ignored=matching'];
/** Without the cache, which goes by the times of folders: anybody can set them. */
const args = ['-c', 'core.untrackedCache=false', 'status', ...kinds, notWithin];

/** One look at everything. The store has no commit, so whatever it lists counts as added. */
async function statusOf(store: TreeStore, area: Area): Promise<Status> {
  store.unlock(area);
  const status: Status = { listed: new Set(), changed: [], others: [], ignored: [] };
  for (const entry of parts(await store.keepingTree(area, () => store.run(area, args)))) {
    const [code, name] = [entry.slice(0, 2), entry.slice(3)];
    if (code === '??') status.others.push(name);
    else if (code === '!!') status.ignored.push(name);
    else {
      status.listed.add(name);
      if (code[1] !== ' ') status.changed.push(name);
    }
  }
  return status;
}
